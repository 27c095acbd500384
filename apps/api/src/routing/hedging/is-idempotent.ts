import type { TextRequest } from '@sluice/protocols';

/** Members that let the vendor store something or act for itself. */
const SIDE_EFFECTS = ['conversation', 'mcp_servers', 'container', 'web_search_options'];

/**
 * Whether two calls of the request do no more than one, except for their cost: the vendor stores nothing, and only the
 * client calls tools.
 */
export function isIdempotent(request: TextRequest, protocol: string): boolean {
  if (SIDE_EFFECTS.some((name) => isSet(request.member(name))) || request.member('background') === true) return false;
  const store = request.member('store');
  // The Responses API stores by default. A translated request is never stored.
  const isRelayed = request.protocol.name === protocol;
  if (isRelayed && (protocol === 'responses' ? store !== false : store === true)) return false;
  const tools = request.member('tools');
  return !Array.isArray(tools) || tools.every(isOfClient);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const CLIENT_TYPES: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom']);
const GEMINI_FUNCTIONS: ReadonlySet<string> = new Set(['functionDeclarations', 'function_declarations']);

function isOfClient(tool: unknown): boolean {
  if (typeof tool !== 'object' || tool === null) return false;
  if ('type' in tool || 'name' in tool) return CLIENT_TYPES.has('type' in tool ? tool.type : undefined);
  return Object.keys(tool).every((name) => GEMINI_FUNCTIONS.has(name));
}
