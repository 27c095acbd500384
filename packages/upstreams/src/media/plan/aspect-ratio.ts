import type { MediaLossReport } from '@sluice/canonical';

export function sides(size: string): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
}

function ratioOf(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
}

function nearest<T>(requested: number, choices: readonly T[], valueOf: (choice: T) => number): T | undefined {
  const distance = (choice: T): number => Math.abs(Math.log(valueOf(choice) / requested));
  return choices.toSorted((one, other) => distance(one) - distance(other))[0];
}

/**
 * Returns the supported aspect ratio (e.g. `16:9`) nearest to the requested ratio or size. An unsupported ratio is
 * reported as clamped. A size is reported as replaced, because only its aspect ratio is used.
 * @returns undefined if the client set neither
 */
export function aspectRatioOf(
  request: { size?: string; aspectRatio?: string },
  aspectRatios: readonly string[],
  report: MediaLossReport,
): string | undefined {
  if (request.aspectRatio !== undefined) {
    if (aspectRatios.includes(request.aspectRatio)) return request.aspectRatio;
    report({ field: 'aspectRatio', how: 'clamped' });
    return nearest(ratioOf(request.aspectRatio), aspectRatios, ratioOf);
  }
  if (request.size === undefined) return undefined;
  report({ field: 'size', how: 'replaced' });
  const { width, height } = sides(request.size);
  return nearest(width / height, aspectRatios, ratioOf);
}

/** Returns a resolution's number of lines (`720p` → 720, `4k` → 2160); undefined if the resolution is invalid. */
export function linesOf(resolution: string): number | undefined {
  const match = /^(?:(\d{3,4})p|(2k)|(4k))$/i.exec(resolution);
  if (!match) return undefined;
  return match[1] === undefined ? (match[2] === undefined ? 2160 : 1440) : Number(match[1]);
}

/**
 * Returns the supported resolution (e.g. `720p`) nearest to the client's resolution or, if the client set none, to the
 * shorter side of its size. If they differ, the field is reported as clamped.
 * @returns undefined if the client set neither
 */
export function resolutionOf(
  request: { size?: string; resolution?: string },
  supported: readonly string[],
  report: MediaLossReport,
): string | undefined {
  const requested =
    request.resolution === undefined
      ? request.size === undefined
        ? undefined
        : Math.min(...Object.values(sides(request.size)))
      : linesOf(request.resolution);
  if (requested === undefined) {
    if (request.resolution !== undefined) report({ field: 'resolution', how: 'dropped' });
    return undefined;
  }
  const exact = supported.find((resolution) => linesOf(resolution) === requested);
  if (exact !== undefined) return exact;
  report({ field: request.resolution === undefined ? 'size' : 'resolution', how: 'clamped' });
  return nearest(requested, supported, (resolution) => linesOf(resolution) ?? 1);
}
