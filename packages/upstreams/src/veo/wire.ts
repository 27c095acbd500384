import type { z } from 'zod';
import { WireGoogleError } from '../media/google-error.ts';
import { Flag, lenient, list, Numeric, Text } from '../media/lenient.ts';

/** A film: where it is, or itself in base64 (@google/genai 1.40.0 reads both). */
const FILM = { uri: Text, encodedVideo: Text, bytesBase64Encoded: Text };
/** What stands in `video`, in answers like those of Vertex at its place. */
const Sample = lenient({ ...FILM, video: lenient(FILM) });
const RESPONSE = {
  generatedSamples: list(Sample),
  videos: list(Sample),
  raiMediaFilteredCount: Numeric,
  raiMediaFilteredReasons: list(Text),
};

/** A long-running operation: the answer to a submission and to a poll. */
export const WireOperation = lenient({
  /** `models/{model}/operations/{id}` */
  name: Text,
  done: Flag,
  /** Of a failed operation, whose `code` is one of gRPC's; of a refused call, whose `code` is HTTP's. */
  error: WireGoogleError,
  response: lenient({ ...RESPONSE, generateVideoResponse: lenient(RESPONSE) }),
});
type Operation = NonNullable<z.output<typeof WireOperation>>;

/** What a finished operation has made. */
export interface WireVideo {
  uri?: string | undefined;
  base64?: string | undefined;
}

/** The film of an operation, wherever in the answer it stands. */
export function videoOf({ response }: Operation): WireVideo | undefined {
  const samples = [response?.generateVideoResponse, response].flatMap((layer) => [
    layer?.generatedSamples ?? [],
    layer?.videos ?? [],
  ]);
  for (const sample of samples.flat()) {
    const video = sample?.video ?? sample;
    const base64 = video?.encodedVideo ?? video?.bytesBase64Encoded;
    if (video?.uri !== undefined || base64 !== undefined) return { uri: video?.uri, base64 };
  }
  return undefined;
}

/** Why a filter held films of an operation back, in the vendor's words; nothing when none did. */
export function filterReasons({ response }: Operation): string | undefined {
  const layers = [response?.generateVideoResponse, response];
  const reasons = layers.flatMap((layer) => layer?.raiMediaFilteredReasons ?? []).filter((text) => text !== undefined);
  const isFiltered = reasons.length > 0 || layers.some((layer) => (layer?.raiMediaFilteredCount ?? 0) > 0);
  return isFiltered ? reasons.join(' ') : undefined;
}
