import { Eraser } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { protocolOf } from '../protocols/protocols.ts';
import type { ChatSettings, ToolCall, Turn } from '../protocols/text-protocol.ts';
import { type ChatOptions, DEFAULT_OPTIONS, parseNumber, parseTools } from './chat-options.ts';
import { ChatSettingsForm } from './chat-settings.tsx';
import { Composer } from './composer.tsx';
import { ConversationView } from './conversation-view.tsx';
import { type ConversationControls, pendingCalls, useConversation } from './use-conversation.ts';

/** A conversation with one model, or the same messages to two models side by side. */
export function Chat({
  models,
  protocolId,
}: {
  models: readonly string[];
  protocolId: string | undefined;
}): ReactElement {
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const [problem, setProblem] = useState('');
  const protocol = protocolOf(protocolId);
  const [first, second] = [useConversation(), useConversation()];
  const lanes = [first, second].slice(0, models.length);
  const isRunning = lanes.some(({ draft }) => draft !== undefined);
  const hasTurns = lanes.some(({ turns }) => turns.length > 0);

  /** Calls each model. Shows a problem with the options instead, if there is one. */
  const each = (call: (lane: ConversationControls, settings: ChatSettings) => Promise<void>, only?: number): void => {
    try {
      const settings = settingsOf(options);
      setProblem('');
      lanes.forEach((lane, at) => {
        if (only === undefined || only === at) void call(lane, { ...settings, model: models[at] ?? '' });
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const send = (turn: Turn): void => each((lane, settings) => lane.send(turn, protocol, settings));
  return (
    <div className="flex flex-col gap-4">
      <ChatSettingsForm options={options} onChange={setOptions} />
      <div className={`grid items-start gap-4 ${models.length > 1 ? 'lg:grid-cols-2' : ''}`}>
        {lanes.map((lane, at) => (
          <ConversationView
            key={at}
            model={models[at] ?? ''}
            conversation={lane}
            onResults={(results) => each((one, settings) => one.sendResults(results, protocol, settings), at)}
            onRetry={() => each((one, settings) => one.retry(protocol, settings), at)}
          />
        ))}
      </div>
      {problem !== '' && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <Composer
        isRunning={isRunning}
        blocked={blockedBy(lanes.map(pendingCalls))}
        onSend={send}
        onStop={() => lanes.forEach((lane) => lane.stop())}
      >
        {hasTurns && (
          <button type="button" className="button" onClick={() => lanes.forEach((lane) => lane.clear())}>
            <Eraser aria-hidden className="size-4" /> Clear
          </button>
        )}
      </Composer>
    </div>
  );
}

/** Every protocol requires the results of all tool calls before the next message. */
function blockedBy(calls: readonly (readonly ToolCall[])[]): string | undefined {
  const names = [...new Set(calls.flat().map(({ name }) => name))];
  if (names.length === 0) return undefined;
  return `The model waits for the result of ${names.join(', ')}. Enter it above, or clear the conversation.`;
}

/** @throws Error for an option that is invalid */
function settingsOf(options: ChatOptions): ChatSettings {
  const { system, stream, effort } = options;
  return {
    model: '',
    system: system.trim(),
    stream,
    effort,
    maxTokens: parseNumber(options.maxTokens, 'Maximum tokens'),
    temperature: parseNumber(options.temperature, 'Temperature'),
    tools: parseTools(options),
  };
}
