from servers import Player, Server


def test_a_match_from_end_to_end(server: Server) -> None:
    ada = Player(server)
    match = ada.enter()
    told = ada.submit(match["match_id"], ada.right(match["match_id"]))
    assert (told.status, told.data["score"], told.data["elo_after"]) == (200, 1000, 1016)
