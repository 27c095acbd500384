import { expect } from 'vitest';
import type { TextProtocol, UpstreamProtocol } from '../../src/index.ts';
import { FULL_REQUESTS, TEXT_PROTOCOLS, UPSTREAM_PROTOCOLS, createTarget, openExchange } from '../text-exchange.ts';
import { asStream } from './as-stream.ts';
import type { Leaf } from './random-response.ts';

type Body = Record<string, unknown>;

/** Every translated pair of protocols, buffered and streamed. */
export const RESPONSE_PAIRS = TEXT_PROTOCOLS.flatMap((client) =>
  UPSTREAM_PROTOCOLS.filter((upstream) => upstream !== client).flatMap((upstream) =>
    [false, true].map((stream) => ({ client, upstream, stream, what: stream ? 'streamed' : 'buffered' })),
  ),
);

/** A response as the client receives it. */
export interface TranslatedResponse {
  text: string;
  lost: string[];
}

export interface ResponseTranslation {
  client: TextProtocol;
  upstream: UpstreamProtocol;
  response: Body;
  stream: boolean;
}

export function translateResponse({ client, upstream, response, stream }: ResponseTranslation): TranslatedResponse {
  const target = createTarget(upstream.name);
  const exchange = openExchange({ client, upstream, target, body: FULL_REQUESTS[client.name] ?? {}, stream });
  if (!stream) {
    const { body, losses = [] } = exchange.readBuffered(Buffer.from(JSON.stringify(response)));
    return { text: Buffer.from(body).toString(), lost: losses.map(({ field }) => field) };
  }
  const writer = exchange.openWriter();
  const text = writer.push(Buffer.from(asStream(upstream.name, response))) + writer.end();
  expect(writer.progress.failed).toBeUndefined();
  return { text, lost: (writer.progress.losses ?? []).map(({ field }) => field) };
}

export function isVisible({ value }: Leaf, { text }: TranslatedResponse): boolean {
  return text.includes(value);
}

/** Returns the loss that names the value's field or an object around it. */
export function lossNameOf({ paths }: Leaf, { lost }: TranslatedResponse): string | undefined {
  return lost.find((name) =>
    paths.some((path) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`)),
  );
}
