import type { ClientHeaders, LossReport, TextTarget } from '@sluice/canonical';

const HEADER = 'anthropic-beta';

/** Anthropic's API and Foundry call tool search by the first name, Bedrock and Vertex by the second (Claude Code). */
const EQUIVALENTS: Readonly<Record<string, string>> = {
  'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19',
  'tool-search-tool-2025-10-19': 'advanced-tool-use-2025-11-20',
};

/**
 * Removes the values of `anthropic-beta` that the upstream does not accept (quirk `betas`), because it may refuse the
 * request. The headers are not modified.
 */
export function filterBetas(headers: ClientHeaders, { quirks }: TextTarget, report: LossReport): ClientHeaders {
  const { betas = 'all' } = quirks;
  const header = headers[HEADER];
  if (betas === 'all' || header === undefined) return headers;
  const sent = new Set<string>();
  for (const beta of valuesOf(header)) {
    const equivalent = EQUIVALENTS[beta];
    if (betas.includes(beta)) sent.add(beta);
    else if (equivalent !== undefined && betas.includes(equivalent)) {
      sent.add(equivalent);
      report({ field: `${HEADER}[${beta}]`, how: 'replaced' });
    } else report({ field: `${HEADER}[${beta}]`, how: 'dropped' });
  }
  return { ...headers, [HEADER]: sent.size === 0 ? undefined : [...sent].join(',') };
}

function valuesOf(header: string | string[]): string[] {
  const values = String(header).split(',');
  return values.map((value) => value.trim()).filter((value) => value !== '');
}
