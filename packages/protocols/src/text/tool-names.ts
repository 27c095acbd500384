import { createHash } from 'node:crypto';
import type { Tool } from '@sluice/canonical';

const MAX_LENGTH = 64;
/** The default namespace, whose tools keep their bare names (Codex, gpt-6). */
const PLAIN_NAMESPACE = 'functions';

/**
 * Makes a tool name valid for every vendor: at most 64 characters of `[A-Za-z0-9_-]`. Tool `T` in namespace `N` becomes
 * `N__T`. A long or invalid name gets a hash, so that different names stay different.
 */
export function flatToolName(name: string, namespace?: string): string {
  const fullName = namespace === undefined || namespace === PLAIN_NAMESPACE ? name : `${namespace}__${name}`;
  const safe = fullName.replaceAll(/[^\w-]/g, '_');
  if (safe === fullName && safe.length <= MAX_LENGTH && safe !== '') return safe;
  const hash = createHash('sha256').update(fullName).digest('hex').slice(0, 8);
  return `${safe.slice(0, 50)}_${hash}`;
}

export function toolName(name: string, namespace?: string): Pick<Tool, 'name' | 'clientName'> {
  const flat = flatToolName(name, namespace);
  if (flat === name && namespace === undefined) return { name };
  return { name: flat, clientName: { name, namespace } };
}

/**
 * Finds the tool that a model called. Models sometimes send `N.T` or a bare `T`, which is accepted if it is
 * unambiguous.
 */
export function findTool(tools: readonly Tool[], called: string): Tool | undefined {
  const exact = tools.find((tool) => tool.name === called);
  if (exact) return exact;
  const matches = tools.filter(
    ({ clientName }) =>
      clientName && (clientName.name === called || `${clientName.namespace ?? ''}.${clientName.name}` === called),
  );
  return matches.length === 1 ? matches[0] : undefined;
}

export function clientToolName(tools: readonly Tool[], called: string): { name: string; namespace?: string } {
  const tool = findTool(tools, called);
  return tool?.clientName ?? { name: tool?.name ?? called };
}
