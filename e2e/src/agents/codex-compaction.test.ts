import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uniqueWord } from '../text/conversation.ts';
import { UPSTREAMS } from '../text/pairs.ts';
import { type SeenRequest, startTextStack, type TextStack } from '../text/text-stack.ts';
import { type Codex, codex, type Provider } from './codex.ts';
import { AGENTS_ENABLED, INSTALL_MS, installAgent, WHY_SKIPPED } from './install-agent.ts';

/** Codex's own prompt has about 4,000 tokens. The tool result is this long, and the response quotes it in full. */
const STORY_WORDS = 3_000;
const COMPACT_ABOVE = 6_000;
const LAST_WORD = `word${STORY_WORDS}`;
const STORY = Array.from({ length: STORY_WORDS }, (_, at) => `word${at + 1}`).join('\n');

describe.skipIf(!AGENTS_ENABLED)(`Codex and a long conversation${WHY_SKIPPED}`, () => {
  let script: string;
  let stack: TextStack;
  let agent: Codex;

  beforeAll(async () => {
    script = await installAgent('codex');
    stack = await startTextStack();
  }, INSTALL_MS);
  afterEach(() => agent.workspace.close());
  afterAll(() => stack.close());

  /**
   * Starts a conversation that is compacted before its second turn. Returns the requests that the upstream received,
   * and the last response.
   */
  async function compact(model: string, provider: Provider) {
    agent = await codex({ script, origin: stack.origin, model, provider });
    await agent.workspace.write('story.txt', STORY);
    const word = uniqueWord();
    const first = await agent.prompt(`${word} [tool:exec_command {"cmd":"cat story.txt && rm story.txt"}]`);
    expect(first).toMatchObject({ exitCode: 0, errors: [] });
    expect(first.text).toContain(LAST_WORD);
    const last = await agent.prompt('And now', { resume: true, compactAbove: COMPACT_ABOVE });
    expect(last).toMatchObject({ exitCode: 0, errors: [] });
    // Compaction keeps the user's text, so every request contains this test's unique word.
    const [call, quote, compaction, ...after] = await stack.seen(word);
    expect(bodyOf(call)).not.toContain(LAST_WORD);
    expect(bodyOf(quote)).toContain(LAST_WORD);
    expect(bodyOf(compaction)).toContain(LAST_WORD);
    for (const request of after) expect(bodyOf(request)).not.toContain(LAST_WORD);
    return { compaction, after, text: last.text };
  }

  describe.each(UPSTREAMS)('on $model', ({ model, protocol }) => {
    // If the protocol merges consecutive user turns, the sandbox finds the first turn's directive again and calls the
    // tool a second time.
    const mergesTurns = protocol === 'messages' || protocol === 'generative-content';
    const requestsAfter = mergesTurns ? 2 : 1;
    const lastText = mergesTurns ? 'story.txt: No such file or directory' : 'You said: And now';

    it('compacts it once with its own prompt if the provider is custom', async () => {
      const { compaction, after, text } = await compact(model, 'custom');
      expect(bodyOf(compaction)).toContain('CONTEXT CHECKPOINT COMPACTION');
      expect(after).toHaveLength(requestsAfter);
      expect(bodyOf(after[0])).toContain('Another language model started to solve this problem');
      expect(text).toContain(lastText);
    });

    it('compacts it once with a trigger if the gateway replaces OpenAI, and sends the received item back', async () => {
      const { compaction, after, text } = await compact(model, 'built-in');
      expect(after).toHaveLength(requestsAfter);
      expect(text).toContain(lastText);
      if (protocol === 'responses') {
        // The vendor compacts the conversation itself.
        expect(inputTypes(compaction).at(-1)).toBe('compaction_trigger');
        expect(inputTypes(after[0])).toContain('compaction');
        expect(text).toMatch(/I remember \d+ earlier turns\.$/);
        return;
      }
      expect(compaction?.body).not.toHaveProperty('tools');
      expect(limitOf(compaction)).toBeGreaterThanOrEqual(4_096);
      expect(bodyOf(after[0])).toContain('summary of the conversation so far');
    });
  });
});

function bodyOf(request: SeenRequest | undefined): string {
  return JSON.stringify(request?.body);
}

function inputTypes(request: SeenRequest | undefined): string[] {
  // The cast is safe because the sandbox has validated the body.
  const body = request?.body as { input: { type: string }[] } | undefined;
  return body?.input.map(({ type }) => type) ?? [];
}

/** Returns the output limit of a request in any protocol. */
function limitOf(request: SeenRequest | undefined): number | undefined {
  // The cast is safe because the sandbox has validated the body.
  const body = request?.body as { max_tokens?: number; generationConfig?: { maxOutputTokens?: number } };
  return body.max_tokens ?? body.generationConfig?.maxOutputTokens;
}
