export const IMAGE_MAGIC_BYTES = 12;

/** Detects the type from the first {@link IMAGE_MAGIC_BYTES} bytes, because file names and headers may be wrong. */
export function imageType(head: Uint8Array): string | undefined {
  const ascii = String.fromCharCode(...head.subarray(0, IMAGE_MAGIC_BYTES));
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (ascii.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'image/gif';
  if (ascii.startsWith('RIFF') && ascii.slice(8) === 'WEBP') return 'image/webp';
  if (ascii.slice(4) === 'ftypavif') return 'image/avif';
  if (['ftypheic', 'ftypheix', 'ftypmif1'].includes(ascii.slice(4))) return 'image/heic';
  return undefined;
}
