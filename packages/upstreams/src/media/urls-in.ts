const NAMES = ['video', 'videos', 'image', 'images', 'url', 'output', 'outputs', 'file', 'files'];
const MAX_DEPTH = 4;
const VIDEO = /\.(?:mp4|mov|webm|mkv|gif)$/i;

export function urlsIn(output: unknown, depth = 0): string[] {
  if (typeof output === 'string') return /^https?:\/\//i.test(output) && URL.canParse(output) ? [output] : [];
  if (typeof output !== 'object' || output === null || depth >= MAX_DEPTH) return [];
  if (Array.isArray(output)) return output.flatMap((item: unknown) => urlsIn(item, depth + 1));
  const fields = new Map<string, unknown>(Object.entries(output));
  for (const value of [...NAMES.map((name) => fields.get(name)), ...fields.values()]) {
    const urls = urlsIn(value, depth + 1);
    if (urls.length > 0) return urls;
  }
  return [];
}

/** Returns the video's URL from a list that may also contain URLs of images or audio. */
export function videoAmong(urls: readonly string[]): string | undefined {
  return urls.find((url) => VIDEO.test(new URL(url).pathname)) ?? urls[0];
}
