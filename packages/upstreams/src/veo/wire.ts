import type { z } from 'zod';
import { WireGoogleError } from '../media/google-error.ts';
import { Flag, lenient, list, Numeric, Text } from '../media/lenient.ts';

/** A video, as a URL or in base64 (@google/genai 3.1.0 reads both). Only Vertex AI sends `gcsUri`. */
const VIDEO = { uri: Text, gcsUri: Text, encodedVideo: Text, bytesBase64Encoded: Text };
const Sample = lenient({ ...VIDEO, video: lenient(VIDEO) });
const RESPONSE = {
  generatedSamples: list(Sample),
  videos: list(Sample),
  raiMediaFilteredCount: Numeric,
  raiMediaFilteredReasons: list(Text),
};

export const WireOperation = lenient({
  /** The operation's name, e.g. `models/{model}/operations/{id}`. */
  name: Text,
  done: Flag,
  /** Contains a gRPC code if the operation failed, and an HTTP code if the call was rejected. */
  error: WireGoogleError,
  response: lenient({ ...RESPONSE, generateVideoResponse: lenient(RESPONSE) }),
});
type Operation = NonNullable<z.output<typeof WireOperation>>;

export interface WireVideo {
  uri?: string | undefined;
  base64?: string | undefined;
}

export function videoOf({ response }: Operation): WireVideo | undefined {
  const samples = [response?.generateVideoResponse, response].flatMap((layer) => [
    layer?.generatedSamples ?? [],
    layer?.videos ?? [],
  ]);
  for (const sample of samples.flat()) {
    const video = sample?.video ?? sample;
    const base64 = video?.encodedVideo ?? video?.bytesBase64Encoded;
    const uri = video?.uri ?? video?.gcsUri;
    if (uri !== undefined || base64 !== undefined) return { uri, base64 };
  }
  return undefined;
}

export function filterReasons({ response }: Operation): string | undefined {
  const layers = [response?.generateVideoResponse, response];
  const reasons = layers.flatMap((layer) => layer?.raiMediaFilteredReasons ?? []).filter((text) => text !== undefined);
  const isFiltered = reasons.length > 0 || layers.some((layer) => (layer?.raiMediaFilteredCount ?? 0) > 0);
  return isFiltered ? reasons.join(' ') : undefined;
}
