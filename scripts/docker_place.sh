# Where the daemon of the tests lives; read by the scripts beside this one.
# A socket's path has to be short, and both folders are root's alone.
docker_run="${STEELYARD_DOCKER_RUN:-/run/steelyard-docker}"
docker_data="${STEELYARD_DOCKER_DATA:-/var/lib/steelyard-docker}"
docker_address="unix://$docker_run/docker.sock"
