import type { MediaBlock } from '@sluice/canonical';

export function mediaKind(mediaType: string | undefined, url = ''): MediaBlock['kind'] {
  const [family] = (mediaType ?? '').split('/', 1);
  if (family === 'image' || family === 'audio' || family === 'video') return family;
  if (mediaType !== undefined) return 'document';
  if (isYouTube(url) || /\.(?:mp4|mov|webm|mpe?g)(?:[?#]|$)/i.test(url)) return 'video';
  if (/\.(?:png|jpe?g|webp|gif|heic)(?:[?#]|$)/i.test(url)) return 'image';
  return /\.(?:mp3|wav|ogg|flac|m4a)(?:[?#]|$)/i.test(url) ? 'audio' : 'document';
}

/** Whether Gemini can fetch the URL itself: Google files, Cloud Storage, or YouTube. */
export function isGoogleUri(url: string): boolean {
  if (url.startsWith('gs://') || isYouTube(url)) return true;
  const host = hostOf(url);
  return host !== undefined && (host === 'storage.cloud.google.com' || host.endsWith('.googleapis.com'));
}

/** Whether the URL is a Google file, which no other vendor can reach. */
export function isGoogleFile(url: string): boolean {
  return url.startsWith('gs://') || hostOf(url) === 'generativelanguage.googleapis.com' || url.startsWith('files/');
}

function isYouTube(url: string): boolean {
  const host = hostOf(url);
  return host === 'youtu.be' || host === 'youtube.com' || (host?.endsWith('.youtube.com') ?? false);
}

function hostOf(url: string): string | undefined {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}
