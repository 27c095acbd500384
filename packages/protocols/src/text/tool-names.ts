import { createHash } from 'node:crypto';
import type { Tool } from '@sluice/canonical';

const LONGEST = 64;
/** A namespace without meaning: its tools keep their bare names (Codex, gpt-6). */
const PLAIN_NAMESPACE = 'functions';

/**
 * A flat tool name for every vendor: at most 64 of `[A-Za-z0-9_-]`. Tool `T` of namespace `N` becomes `N__T`. A long or
 * invalid name keeps its beginning and gets a hash, so that different names stay different.
 */
export function flatToolName(name: string, namespace?: string): string {
  const whole = namespace === undefined || namespace === PLAIN_NAMESPACE ? name : `${namespace}__${name}`;
  const safe = whole.replaceAll(/[^\w-]/g, '_');
  if (safe === whole && safe.length <= LONGEST && safe !== '') return safe;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${safe.slice(0, 50)}_${hash}`;
}

/** The flat name and, if it differs, the client's name. */
export function toolName(name: string, namespace?: string): Pick<Tool, 'name' | 'clientName'> {
  const flat = flatToolName(name, namespace);
  if (flat === name && namespace === undefined) return { name };
  return { name: flat, clientName: { name, ...(namespace !== undefined && { namespace }) } };
}

/** The tool of a model's call. Models sometimes send `N.T` or a bare `T`, which count if unambiguous. */
export function findTool(tools: readonly Tool[], called: string): Tool | undefined {
  const exact = tools.find((tool) => tool.name === called);
  if (exact) return exact;
  const meant = tools.filter(
    ({ clientName }) =>
      clientName && (clientName.name === called || `${clientName.namespace ?? ''}.${clientName.name}` === called),
  );
  return meant.length === 1 ? meant[0] : undefined;
}

/** The client's name of the called tool. */
export function clientToolName(tools: readonly Tool[], called: string): { name: string; namespace?: string } {
  const tool = findTool(tools, called);
  return tool?.clientName ?? { name: tool?.name ?? called };
}
