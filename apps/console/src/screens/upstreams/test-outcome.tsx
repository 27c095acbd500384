import type { ReactElement } from 'react';
import type { UpstreamTest } from '../../api/upstreams.ts';
import { Badge } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatCost, formatCount, formatDuration } from '../../lib/format.ts';
import { MessageText } from '../../components/message-text.tsx';

/** What the upstream responded. Its texts are shown as text only. */
export function TestOutcome({ outcome }: { outcome: UpstreamTest }): ReactElement {
  const { ok, error, response, upstream_body: body } = outcome;
  return (
    <section aria-label="Outcome" className="rounded-md border border-line">
      <div className="flex items-center justify-between gap-4 border-b border-line px-4 py-2.5">
        <Badge tone={ok ? 'ok' : 'bad'}>{ok ? 'The upstream works' : 'The request failed'}</Badge>
        <span className="text-muted tabular-nums">{formatDuration(outcome.duration_ms)}</span>
      </div>
      {error && (
        <p className="px-4 pt-3 font-medium break-words">
          <MessageText text={error.message} />
        </p>
      )}
      <Facts facts={factsOf(outcome)} />
      {(response !== undefined || body !== undefined) && (
        <div className="px-4 pb-4">
          <CodeBlock
            code={response ?? indented(body ?? '')}
            what={response === undefined ? 'error of the upstream' : 'response'}
          />
        </div>
      )}
    </section>
  );
}

function factsOf({
  upstream_status: status,
  error,
  model,
  upstream_model: name,
  operation,
  usage,
  cost_usd: cost,
}: UpstreamTest) {
  return [
    { name: 'Status', value: status === undefined ? undefined : String(status) },
    { name: 'Error', value: error?.code },
    { name: 'Model', value: model === name ? model : `${model} → ${name}` },
    { name: 'Operation', value: operation },
    {
      name: 'Tokens',
      value: usage && `${formatCount(usage.input_tokens)} in, ${formatCount(usage.output_tokens)} out`,
    },
    { name: 'Cost', value: cost === undefined ? usage && 'unknown price' : formatCost(cost) },
  ];
}

/** JSON in several lines. Other text, also JSON that was cut, stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
