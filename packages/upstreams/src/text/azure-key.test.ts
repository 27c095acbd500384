import { expect, it } from 'vitest';
import { textCall } from '../../test/text-rig.ts';
import { mediaContext } from '../../test/media-context.ts';
import { submission } from '../../test/videos-rig.ts';
import { chatCompletions } from '../chat-completions/index.ts';
import type { UpstreamContext } from '../contract/upstream.ts';
import { responses } from '../responses/index.ts';
import { videos } from '../videos/index.ts';

const { signal } = new AbortController();
const EMBEDDING = { inputs: ['a'], prefersBase64: false, foreign: { protocol: 'openai', fields: {} } } as const;
const account = (host: string) => ({ kind: 'x', base_url: `https://${host}/openai/v1`, api_key: 'the-key' });

/** Records the credentials of all calls, which then fail, because no test reaches Azure. */
async function credentialsAt(host: string): Promise<string[]> {
  const sent: string[] = [];
  const record = (headers: Readonly<Record<string, string | undefined>>): never => {
    sent.push(headers['api-key'] === undefined ? String(headers['authorization']) : `api-key ${headers['api-key']}`);
    throw new Error('recorded');
  };
  await using real = mediaContext([]);
  const context: UpstreamContext = {
    ...real,
    openUpstream: async ({ headers }) => {
      const names = headers.filter((_, index) => index % 2 === 0);
      return record(Object.fromEntries(names.map((name, index) => [name, headers[2 * index + 1]])));
    },
    fetchUpstream: async ({ headers = {} }) => record(headers),
    openSocket: async ({ headers }) => record(headers),
  };
  const chat = chatCompletions.build(account(host), context);
  const calls: (Promise<unknown> | undefined)[] = [
    chat.text?.open(textCall()),
    responses.build(account(host), context).text?.open(textCall()),
    chat.embedding?.call(EMBEDDING, { model: 'm', signal, report: () => undefined }),
    chat.realtime?.open({ model: 'm', query: [], signal }),
    videos.build(account(host), context).video?.submit(submission(), signal),
  ];
  await Promise.allSettled(calls.filter((call) => call !== undefined));
  return sent;
}

it('is sent as `api-key` to Azure by each kind of OpenAI, and as Bearer to others', async () => {
  expect(await credentialsAt('mine.openai.azure.com')).toEqual(Array.from({ length: 5 }, () => 'api-key the-key'));
  expect(await credentialsAt('llm.example.com')).toEqual(Array.from({ length: 5 }, () => 'Bearer the-key'));
});
