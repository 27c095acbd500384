import { expect, it } from 'vitest';
import type { ClientKind, Failure, TextClient } from './clients/text-client.ts';
import { userTurn } from './conversation.ts';
import { PIXEL } from './pairs.ts';
import { expectOrder } from './stream-order.ts';

/** Returns how a client reports the error of a call, or `none`. */
export async function failureOf(client: TextClient, call: Promise<unknown>): Promise<Failure | 'none'> {
  try {
    await call;
    return 'none';
  } catch (error) {
    return client.failureOf(error);
  }
}

/** Defines the tests of text that all clouds share. @param models ids of models at the cloud */
export function testCloudText(kind: ClientKind, open: () => TextClient, models: readonly string[]): void {
  it.each(models)('returns text of %s with an image, streamed or not', async (model) => {
    const request = { model, system: 'be brief', turns: [userTurn('Grüße, 世界', PIXEL)] };
    const text = 'You said: Grüße, 世界\nI see 1 image.';
    expect(await open().create(request)).toMatchObject({ text, finish: 'stop', model });
    const streamed = await open().stream(request);
    expect(streamed).toMatchObject({ text, finish: 'stop', model });
    expectOrder(kind.protocol, streamed.frames);
  });

  it.each(models)('counts tokens of %s', async (model) => {
    const count = await open().count?.({ model, turns: [userTurn('one two three')] });
    if (count !== undefined) expect(count).toBe(3);
  });
}
