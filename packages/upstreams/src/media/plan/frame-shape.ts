import type { MediaLossReport } from '@sluice/canonical';

export function sides(size: string): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
}

function ratioOf(shape: string): number {
  const [width = 1, height = 1] = shape.split(':').map(Number);
  return width / height;
}

function nearest<T>(requested: number, choices: readonly T[], valueOf: (choice: T) => number): T | undefined {
  const distance = (choice: T): number => Math.abs(Math.log(valueOf(choice) / requested));
  return choices.toSorted((one, other) => distance(one) - distance(other))[0];
}

/**
 * Returns the supported aspect ratio (`16:9`) nearest to the request. An unsupported ratio is reported as clamped. A
 * size is reported as replaced, because only its shape is used.
 * @returns undefined if the client set neither
 */
export function shapeOf(
  request: { size?: string; aspectRatio?: string },
  shapes: readonly string[],
  report: MediaLossReport,
): string | undefined {
  if (request.aspectRatio !== undefined) {
    if (shapes.includes(request.aspectRatio)) return request.aspectRatio;
    report({ field: 'aspectRatio', how: 'clamped' });
    return nearest(ratioOf(request.aspectRatio), shapes, ratioOf);
  }
  if (request.size === undefined) return undefined;
  report({ field: 'size', how: 'replaced' });
  const { width, height } = sides(request.size);
  return nearest(width / height, shapes, ratioOf);
}

/** Parses a resolution's line count: `720p` → 720, `4k` → 2160; undefined if invalid. */
export function linesOf(resolution: string): number | undefined {
  const match = /^(?:(\d{3,4})p|(2k)|(4k))$/i.exec(resolution);
  if (!match) return undefined;
  return match[1] === undefined ? (match[2] === undefined ? 2160 : 1440) : Number(match[1]);
}

/**
 * Returns the supported resolution (e.g. `720p`) nearest to the client's resolution, or else to the shorter side of its
 * size. Values in between are reported as clamped.
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
