export interface ToolDirective {
  name: string;
  /** The arguments: JSON for a function, or any text for a custom tool. */
  input?: string;
  from: number;
  to: number;
}

const START = /\[tool:([^\s\]]+)/gi;

/** Returns the index after the closing brace of the JSON object that starts at `from`. */
function endOfObject(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '{') depth += 1;
    else if (letter === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Parses all `[tool:NAME INPUT]` directives. An input that is a JSON object may contain brackets. */
export function toolDirectives(text: string): ToolDirective[] {
  const directives: ToolDirective[] = [];
  let from = 0;
  for (const match of text.matchAll(START)) {
    const name = match[1] ?? '';
    const after = match.index + match[0].length;
    if (match.index < from) continue;
    const start = after + (/^\s*/.exec(text.slice(after))?.[0].length ?? 0);
    const json = text[start] === '{' ? endOfObject(text, start) : undefined;
    const close = text.indexOf(']', json ?? start);
    if (close === -1) continue;
    const input = text.slice(start, close).trim();
    from = close + 1;
    directives.push({ name, input: input === '' ? undefined : input, from: match.index, to: from });
  }
  return directives;
}
