import type { Completion, ToolCall } from './completion.ts';
import { fillSchema } from './fill-schema.ts';
import type { TextRequest, ToolDefinition, ToolResult, Turn } from './text-request.ts';
import { lastUserText, openTurns } from './text-request.ts';
import { hasTextDirective, withoutDirectives, directiveNumber } from '../directives/text-directives.ts';
import { toolDirectives } from '../directives/tool-directives.ts';
import { countTokens, tokensOf } from './word-tokens.ts';

const IMAGE_TOKENS = 85;
const REFUSAL = 'I’m sorry, but I can’t help with that.';

function callOf(tool: ToolDefinition, input?: string): ToolCall {
  const { name, namespace, kind } = tool;
  const generated = kind === 'custom' ? 'text' : JSON.stringify(fillSchema(tool.schema ?? { type: 'object' }));
  return { name, kind, input: input ?? generated, namespace };
}

function namesOf({ name, namespace }: ToolDefinition): string[] {
  return [name, `${namespace}.${name}`, `${namespace}__${name}`];
}

function findTool(request: TextRequest, name: string): ToolDefinition | undefined {
  const { tools, onlyTools } = request;
  const allowed = onlyTools === undefined ? tools : tools.filter((tool) => onlyTools.includes(tool.name));
  return allowed.find((tool) => namesOf(tool).includes(name));
}

/** Returns the tool calls that directives request or that the request forces. */
function callsFor(request: TextRequest, text: string): ToolCall[] {
  if (request.toolUse === 'none') return [];
  const calls = toolDirectives(text).flatMap(({ name, input }) => {
    const tool = findTool(request, name);
    return tool === undefined ? [] : [callOf(tool, input)];
  });
  if (calls.length === 0 && request.toolUse === 'required') {
    const name = request.onlyTools?.[0] ?? request.tools[0]?.name ?? '';
    const tool = findTool(request, name);
    if (tool !== undefined) calls.push(callOf(tool));
  }
  return request.parallel ? calls : calls.slice(0, 1);
}

function sentenceOfImages(count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? 'I see 1 image.' : `I see ${count} images.`];
}

function quote({ name, text, images, failed }: ToolResult): string {
  const response = failed ? `The tool ${name} failed: ${text}` : `The tool ${name} answered: ${text}`;
  return [response, ...sentenceOfImages(images)].join(' ');
}

function echo(request: TextRequest, text: string): string {
  const open = openTurns(request);
  const results = open.flatMap((turn) => (turn.role === 'tool' ? turn.results : []));
  const images = open.reduce((sum, turn) => sum + (turn.role === 'user' ? turn.images : 0), 0);
  const userText = withoutDirectives(text);
  const long = directiveNumber(text, 'long');
  if (long !== undefined) return Array.from({ length: long }, (_, index) => `word${index + 1}`).join(' ');
  if (request.format !== undefined || hasTextDirective(text, 'json')) {
    const schema = request.format?.schema;
    return JSON.stringify(schema === undefined ? { answer: userText } : fillSchema(schema));
  }
  if (request.transcript !== undefined) return request.transcript;
  const unknown = toolDirectives(text).filter(({ name }) => findTool(request, name) === undefined);
  const isUsersTurn = results.length === 0 || lastUserText(open) !== '';
  return [
    ...results.map(quote),
    ...(isUsersTurn ? [userText === '' ? 'You said nothing.' : `You said: ${userText}`] : []),
    ...(results.length > 0 ? [] : unknown.map(({ name }) => `There is no tool ${name}.`)),
    ...sentenceOfImages(images),
    ...(request.summarizedTurns === undefined ? [] : [`I remember ${request.summarizedTurns} earlier turns.`]),
  ].join('\n');
}

function tokensOfTurn(turn: Turn): number {
  const parts = turn.role === 'tool' ? turn.results : [turn];
  return parts.reduce((sum, { text, images }) => sum + countTokens(text) + images * IMAGE_TOKENS, 0);
}

/** `cached` counts the tokens of all turns except the last. */
export function countInput({ turns, tools }: TextRequest): { input: number; cached: number } {
  const input =
    turns.reduce((sum, turn) => sum + tokensOfTurn(turn), 0) +
    (tools.length > 0 ? countTokens(JSON.stringify(tools)) : 0);
  const spoken = turns.filter(({ role }) => role !== 'system');
  const last = spoken.at(-1);
  return { input, cached: last === undefined || spoken.length < 2 ? 0 : input - tokensOfTurn(last) };
}

function cutText(
  full: string,
  { stops, maxTokens }: TextRequest,
): Pick<Completion, 'text' | 'finish' | 'stopSequence'> {
  const first = stops
    .map((stop) => ({ stop, at: full.indexOf(stop) }))
    .filter(({ stop, at }) => stop !== '' && at !== -1)
    .toSorted((one, other) => one.at - other.at)[0];
  const text = first === undefined ? full : full.slice(0, first.at);
  const tokens = tokensOf(text);
  if (maxTokens !== undefined && tokens.length > maxTokens) {
    return { text: tokens.slice(0, maxTokens).join(''), finish: 'length' };
  }
  return first === undefined ? { text, finish: 'stop' } : { text, finish: 'stop_sequence', stopSequence: first.stop };
}

function respond(request: TextRequest, text: string): Pick<Completion, 'text' | 'calls' | 'finish' | 'stopSequence'> {
  if (hasTextDirective(text, 'filter')) return { text: '', calls: [], finish: 'filter' };
  if (hasTextDirective(text, 'refuse')) return { text: REFUSAL, calls: [], finish: 'refusal' };
  if (hasTextDirective(text, 'empty')) return { text: '', calls: [], finish: 'stop' };
  const hasResults = openTurns(request).some(({ role }) => role === 'tool') && lastUserText(openTurns(request)) === '';
  const calls = hasResults ? [] : callsFor(request, text);
  if (calls.length > 0) return { text: '', calls, finish: 'tool_calls' };
  return { ...cutText(echo(request, text), request), calls: [] };
}

/**
 * Returns the model's completion: an echo, unless directives or the request require something else. Deterministic; see
 * `docs/extend/sandbox.md` for the rules.
 */
export function completeRequest(request: TextRequest): Completion {
  const text = lastUserText(request.turns);
  const response = respond(request, text);
  const redacted = hasTextDirective(text, 'redacted');
  const hasReasoning =
    response.finish !== 'filter' && (redacted || request.requestsReasoning || hasTextDirective(text, 'think'));
  const reasoning = hasReasoning
    ? `The user wrote ${countTokens(text)} words. I shall answer them plainly.`
    : undefined;
  const reasoningTokens = countTokens(reasoning ?? '');
  const callTokens = response.calls.reduce((sum, { name, input }) => sum + countTokens(`${name} ${input}`), 0);
  return {
    ...response,
    redacted,
    reasoning,
    tokens: {
      ...countInput(request),
      output: countTokens(response.text) + callTokens + reasoningTokens,
      reasoning: reasoningTokens,
    },
  };
}
