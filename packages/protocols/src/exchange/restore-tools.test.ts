import type { StreamEvent, Tool, ToolCallBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createToolRestorer, restoreTools } from './restore-tools.ts';

const tools: Tool[] = [
  { kind: 'custom', name: 'exec' },
  { kind: 'function', name: 'agents__close', clientName: { name: 'close', namespace: 'agents' } },
];
const call = (name: string, text: string): ToolCallBlock => ({
  type: 'tool-call',
  callId: 'c1',
  name,
  kind: 'function',
  arguments: text,
});

describe('restoreTools', () => {
  it('gives a custom tool its text back', () => {
    const generation = {
      id: '1',
      model: 'm',
      choices: [{ content: [call('exec', '{"input":"ls"}')], finish: 'tool_calls' as const }],
    };
    const [choice] = restoreTools(generation, tools).choices;
    expect(choice?.content).toEqual([{ ...call('exec', 'ls'), kind: 'custom' }]);
  });

  it('finds the tool that was called by a loose name', () => {
    const generation = {
      id: '1',
      model: 'm',
      choices: [{ content: [call('agents.close', '{}')], finish: 'tool_calls' as const }],
    };
    expect(restoreTools(generation, tools).choices[0]?.content).toEqual([call('agents__close', '{}')]);
  });
});

function run(events: StreamEvent[]): StreamEvent[] {
  const restore = createToolRestorer(tools);
  return events.flatMap((event) => restore?.(event) ?? [event]);
}

describe('createToolRestorer', () => {
  it('holds a custom tool’s call back until its text is whole', () => {
    const events = run([
      { type: 'block-start', choice: 0, head: { type: 'tool-call', callId: 'c1', name: 'exec', kind: 'function' } },
      { type: 'delta', choice: 0, text: '{"inp' },
      { type: 'delta', choice: 0, text: 'ut":"ls"}' },
      { type: 'block-end', choice: 0, block: call('exec', '{"input":"ls"}') },
      { type: 'finish', choice: 0, finish: 'tool_calls' },
    ]);
    expect(events).toEqual([
      { type: 'block-start', choice: 0, head: { type: 'tool-call', callId: 'c1', name: 'exec', kind: 'custom' } },
      { type: 'delta', choice: 0, text: 'ls' },
      { type: 'block-end', choice: 0, block: { ...call('exec', 'ls'), kind: 'custom' } },
      { type: 'finish', choice: 0, finish: 'tool_calls' },
    ]);
  });

  it('passes everything else as it comes', () => {
    const events: StreamEvent[] = [
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'delta', choice: 0, text: 'hi' },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'hi' } },
    ];
    expect(run(events)).toEqual(events);
    expect(createToolRestorer([{ kind: 'function', name: 'plain' }])).toBeUndefined();
  });
});
