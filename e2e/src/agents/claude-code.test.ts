import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uniqueWord } from '../text/conversation.ts';
import { UPSTREAMS } from '../text/pairs.ts';
import { startTextStack, type TextStack } from '../text/text-stack.ts';
import { type ClaudeCode, claudeCode } from './claude-code.ts';
import { AGENTS_ENABLED, INSTALL_MS, installAgent, WHY_SKIPPED } from './install-agent.ts';
import { IMAGE } from './workspace.ts';

const BODIES: { body: string; env: Record<string, string> }[] = [
  { body: 'the default body', env: {} },
  { body: 'the body without betas', env: { CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1' } },
];

/**
 * Claude Code sends fields that only Anthropic's models support if the model has one of these names. Each model is
 * routed to an upstream with a different protocol.
 */
const CLAUDE_NAMES = [
  { model: 'claude-haiku-4-5', upstream: 'sandbox-chat', served: 'sandbox-chat' },
  { model: 'claude-sonnet-4-5', upstream: 'sandbox-responses', served: 'sandbox-responses' },
  { model: 'claude-sonnet-5-5', upstream: 'sandbox-messages', served: 'claude-sonnet-5-5' },
  { model: 'claude-opus-5-5', upstream: 'sandbox-generative', served: 'gemini-3-pro' },
];

describe.skipIf(!AGENTS_ENABLED)(`Claude Code${WHY_SKIPPED}`, () => {
  let script: string;
  let stack: TextStack;
  let claude: ClaudeCode;
  const start = async (model: string, env: Record<string, string> = {}) => {
    claude = await claudeCode({ script, origin: stack.origin, model, env });
  };

  beforeAll(async () => {
    script = await installAgent('claude-code');
    const models = CLAUDE_NAMES.map(({ model, upstream, served }) => ({
      id: model,
      routes: [{ upstream, model: served }],
    }));
    stack = await startTextStack({ models });
  }, INSTALL_MS);
  afterEach(() => claude.workspace.close());
  afterAll(() => stack.close());

  describe.each(UPSTREAMS)('on $model', ({ model, protocol }) => {
    it('runs a command and quotes its output', async () => {
      await start(model);
      const response = await claude.prompt(
        'Please [tool:Bash {"command":"echo quiet water > note.txt; cat note.txt"}]',
      );
      expect(response).toMatchObject({ exitCode: 0, isError: false });
      expect(response.text).toContain('The tool Bash answered: quiet water');
      expect(await claude.workspace.read('note.txt')).toBe('quiet water\n');
    });

    it('reasons, calls tools in parallel, reads an image, and reports which tool failed', async () => {
      await start(model);
      const response = await claude.prompt(
        [
          '[think] Please',
          '[tool:Bash {"command":"echo first > a.txt; cat a.txt"}]',
          '[tool:Bash {"command":"echo second > b.txt; cat b.txt"}]',
          '[tool:Bash {"command":"echo oops >&2; exit 3"}]',
          `[tool:Read {"file_path":"${IMAGE}"}]`,
        ].join(' '),
      );
      expect(response).toMatchObject({ exitCode: 0, isError: false });
      // The results are in the order in which the tools finish.
      expect(response.text).toContain('The tool Bash answered: first');
      expect(response.text).toContain('The tool Bash answered: second');
      expect(response.text).toMatch(/The tool Bash failed: (?:Error: )?Exit code 3\noops/);
      expect(response.text).toMatch(/The tool Read answered: [^]*I see 1 image\./);
      expect(await claude.workspace.read('a.txt')).toBe('first\n');
      expect(await claude.workspace.read('b.txt')).toBe('second\n');
    });

    it('continues a conversation, loads a deferred tool, and calls it', async () => {
      await start(model);
      await claude.prompt('[think] Please [tool:ToolSearch {"query":"select:CronList"}]');
      const response = await claude.prompt('[think] Now [tool:CronList {}]', { resume: true });
      expect(response).toMatchObject({ exitCode: 0, text: 'The tool CronList answered: No scheduled jobs.' });
    });

    it('compacts a conversation and continues from the summary', async () => {
      await start(model);
      const word = uniqueWord();
      await claude.prompt(`Please [tool:Bash {"command":"echo ${word}"}]`);
      await claude.prompt('Go on', { resume: true });
      expect(await claude.prompt('/compact', { resume: true })).toMatchObject({ exitCode: 0, isError: false });
      const after = uniqueWord();
      const response = await claude.prompt(`What was it ${after}`, { resume: true });
      expect(response).toMatchObject({ exitCode: 0, isError: false });
      const [last, ...more] = await stack.seen(after);
      expect(more).toEqual([]);
      expect(JSON.stringify(last?.body)).toContain('continued from a previous conversation');
      expect(JSON.stringify(last?.body)).not.toContain(word);
    });

    it('delegates to another agent and receives its result', async () => {
      await start(model);
      const prompt = JSON.stringify('Do [tool:Bash {"command":"echo quiet water > note.txt; cat note.txt"}]');
      const agent = `"description":"water","subagent_type":"general-purpose","run_in_background":false`;
      const response = await claude.prompt(`Please [tool:Agent {${agent},"prompt":${prompt}}]`);
      expect(response).toMatchObject({ exitCode: 0, isError: false });
      expect(response.text).toMatch(/^The tool Agent answered: [^]*The tool Bash answered: quiet water/);
      expect(await claude.workspace.read('note.txt')).toBe('quiet water\n');
    });

    it('responds according to a schema', async () => {
      await start(model);
      const schema = { type: 'object', properties: { depth: { type: 'integer' } }, required: ['depth'] };
      const response = await claude.prompt('Please [tool:StructuredOutput {"depth":12}]', {
        flags: ['--json-schema', JSON.stringify(schema)],
      });
      expect(response).toMatchObject({ exitCode: 0, structured: { depth: 12 } });
    });

    it('receives an error for a search that the gateway cannot run', async ({ skip }) => {
      skip(protocol === 'messages', 'this vendor runs searches itself');
      await start(model, { ENABLE_TOOL_SEARCH: 'false' });
      const response = await claude.prompt('Please [tool:WebSearch {"query":"otters"}]');
      expect(response.text).toMatch(/^The tool WebSearch failed: [^]*API Error: 400 [^]*web_search_20250305/);
    });

    it('reports a response that is cut off', async () => {
      await start(model, { CLAUDE_CODE_MAX_RETRIES: '0' });
      const response = await claude.prompt('[cut] and gone');
      expect(response).toMatchObject({ exitCode: 1, isError: true });
    });

    it('reports once that a prompt is too long', async () => {
      await start(model);
      const word = uniqueWord();
      const response = await claude.prompt(`[context] ${word}`);
      expect(response).toMatchObject({ exitCode: 1, isError: true });
      expect(response.text).toContain('Prompt is too long');
      expect(await stack.seen(word)).toHaveLength(1);
    });

    it('retries after a 429', async () => {
      await start(model);
      const word = uniqueWord();
      expect(await claude.prompt(`[429] ${word}`)).toMatchObject({ exitCode: 0, isError: false });
      expect((await stack.seen(word)).map(({ status }) => status)).toEqual([429, 429, 200]);
    });
  });

  it('continues a conversation across upstreams, with reasoning and images', async () => {
    await start('sandbox-chat');
    for (const [turn, { model }] of [...UPSTREAMS, ...UPSTREAMS].entries()) {
      const prompt = `[think] [tool:Bash {"command":"echo from ${model}"}] [tool:Read {"file_path":"${IMAGE}"}]`;
      const response = await claude.prompt(prompt, { resume: turn > 0, flags: ['--model', model] });
      expect(response).toMatchObject({ exitCode: 0, isError: false });
      expect(response.text).toContain(`The tool Bash answered: from ${model}`);
      expect(response.text).toContain('I see 1 image.');
    }
  });

  describe.each(CLAUDE_NAMES)('under the name $model, served by $upstream', ({ model }) => {
    it.each(BODIES)('runs tools with $body', async ({ env }) => {
      await start(model, env);
      const response = await claude.prompt(
        `[think] Please [tool:Bash {"command":"echo quiet water"}] [tool:Read {"file_path":"${IMAGE}"}]`,
      );
      expect(response).toMatchObject({ exitCode: 0, isError: false });
      // The results are in the order in which the tools finish.
      expect(response.text).toContain('The tool Bash answered: quiet water');
      expect(response.text).toMatch(/The tool Read answered: [^]*I see 1 image\./);
      const more = await claude.prompt('[think] And [tool:Bash {"command":"echo deep water"}]', { resume: true });
      expect(more.text).toContain('The tool Bash answered: deep water');
    });
  });
});
