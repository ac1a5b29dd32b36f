// Packed text: base64 of raw deflate, in script elements that are never run.
function bytesOf(id) {
  const text = document.getElementById(id).textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

async function unpacked(id) {
  const stream = new Blob([bytesOf(id)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

// Known words stand as single characters of the private use area; the last of them says that the next is itself.
function spelledOut(text, words) {
  return text.replace(/\uf8ff([\ue000-\uf8ff])|[\ue000-\uf8fe]/g, (code, own) => own ?? words[code.charCodeAt(0) - 0xe000]);
}
