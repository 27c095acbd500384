import { createHash } from 'node:crypto';
import type { Tool } from '@sluice/canonical';

const LONGEST = 64;
/** A namespace that says nothing: its tools go by their bare names (Codex, gpt-6). */
const PLAIN_NAMESPACE = 'functions';

/**
 * A tool's flat name, fit for every vendor: at most 64 of `[A-Za-z0-9_-]`. A tool `T` of namespace `N` is `N__T`. What is
 * too long or holds other characters keeps its beginning and gets a hash, so that different names stay different.
 */
export function flatToolName(name: string, namespace?: string): string {
  const whole = namespace === undefined || namespace === PLAIN_NAMESPACE ? name : `${namespace}__${name}`;
  const safe = whole.replaceAll(/[^\w-]/g, '_');
  if (safe === whole && safe.length <= LONGEST && safe !== '') return safe;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${safe.slice(0, 50)}_${hash}`;
}

/** The name and, where it differs, what the client calls it: what a decoder puts into a {@link Tool}. */
export function toolName(name: string, namespace?: string): Pick<Tool, 'name' | 'clientName'> {
  const flat = flatToolName(name, namespace);
  if (flat === name && namespace === undefined) return { name };
  return { name: flat, clientName: { name, ...(namespace !== undefined && { namespace }) } };
}

/**
 * The tool that a model's call means. Models at times answer with `N.T` or the bare `T`; those count when they leave no
 * doubt.
 */
export function findTool(tools: readonly Tool[], called: string): Tool | undefined {
  const exact = tools.find((tool) => tool.name === called);
  if (exact) return exact;
  const meant = tools.filter(
    ({ clientName }) =>
      clientName && (clientName.name === called || `${clientName.namespace ?? ''}.${clientName.name}` === called),
  );
  return meant.length === 1 ? meant[0] : undefined;
}

/** What the client calls the tool that a model called. */
export function clientToolName(tools: readonly Tool[], called: string): { name: string; namespace?: string } {
  const tool = findTool(tools, called);
  return tool?.clientName ?? { name: tool?.name ?? called };
}
