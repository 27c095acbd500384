import type { TranscriptSegment } from '@sluice/canonical';

export function encodeSrt(segments: readonly TranscriptSegment[]): string {
  return segments
    .map(({ start, end, text }, index) => `${index + 1}\n${times(start, end, ',')}\n${cueText(text)}\n\n`)
    .join('');
}

export function encodeVtt(segments: readonly TranscriptSegment[]): string {
  const cues = segments.map(({ start, end, text }) => `${times(start, end, '.')}\n${escaped(cueText(text))}\n\n`);
  return `WEBVTT\n\n${cues.join('')}`;
}

/** Escapes text for WebVTT (W3C), in which `&` and `<` start markup and `-->` would start another cue. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function times(start: number, end: number, point: string): string {
  return `${time(start, point)} --> ${time(Math.max(start, end), point)}`;
}

/** Formats a timestamp (e.g. `01:02:03,456`). */
function time(seconds: number, point: string): string {
  const all = Math.max(0, Math.round(seconds * 1_000));
  const part = (size: number, digits: number, among = Number.POSITIVE_INFINITY) =>
    String(Math.floor(all / size) % among).padStart(digits, '0');
  return `${part(3_600_000, 2)}:${part(60_000, 2, 60)}:${part(1_000, 2, 60)}${point}${part(1, 3, 1_000)}`;
}

/** Removes blank lines, which would end the cue. */
function cueText(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, '\n');
}
