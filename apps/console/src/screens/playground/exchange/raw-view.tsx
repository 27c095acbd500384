import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useSession } from '../../../app/use-session.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Tabs } from '../../../components/form/tabs.tsx';
import { formatDuration } from '../../../lib/format.ts';
import type { Exchange } from './exchange.ts';
import { formatBody, shorten } from './shown-request.ts';

const VIEWS = ['request', 'headers', 'events'] as const;
type View = (typeof VIEWS)[number];

/** The newest events are shown, so that a long stream does not slow down the page. */
const MAX_EVENTS = 500;

/** The request as sent, the headers of the response, and its events or body. */
export function RawView({ exchange, title = 'Raw' }: { exchange: Exchange; title?: string }): ReactElement {
  const [view, show] = useState<View>('events');
  const { events, status, firstEventMs, totalMs, headers } = exchange;
  const hasLedger = useSession().features.ledger;
  const requestId = headers.find(([name]) => name === 'x-request-id')?.[1];
  const facts = [
    status === undefined ? undefined : `HTTP ${status}`,
    firstEventMs === undefined ? undefined : `first event ${formatDuration(firstEventMs)}`,
    totalMs === undefined ? undefined : `total ${formatDuration(totalMs)}`,
    events.length === 0 ? undefined : `${events.length} events`,
  ];
  const titles = { request: 'Request', headers: 'Headers', events: events.length > 0 ? 'Events' : 'Body' };
  return (
    <details className="border-t border-line">
      <summary className="cursor-pointer px-4 py-2 text-xs text-muted hover:text-text">
        <span className="mr-2 font-medium">{title}</span>
        {facts.filter((fact) => fact !== undefined).join(' · ')}
      </summary>
      <div className="flex flex-col gap-2 px-4 pb-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Tabs
            label="Raw view"
            tabs={VIEWS.map((name) => ({ name, title: titles[name] }))}
            selected={view}
            onSelect={(name) => show(VIEWS.find((one) => one === name) ?? 'events')}
          />
          {hasLedger && requestId !== undefined && (
            <Link to="/requests" search={{ id: requestId }} className="text-accent hover:underline">
              Open in requests
            </Link>
          )}
        </div>
        <div className="max-h-96 overflow-y-auto">
          <CodeBlock code={textOf(exchange, view)} what={titles[view].toLowerCase()} />
        </div>
      </div>
    </details>
  );
}

function textOf({ request, headers, events, body }: Exchange, view: View): string {
  if (view === 'request') return requestText(request);
  if (view === 'headers') {
    return headers.map(([name, value]) => `${name}: ${value}`).join('\n') || 'No response yet.';
  }
  if (events.length === 0) return body === undefined ? 'No event or body of text yet.' : formatBody(body);
  const hidden = events.length - MAX_EVENTS;
  const shown = events.slice(-MAX_EVENTS).map(({ ms, raw }) => `: ${formatDuration(ms)}\n${raw}`);
  return [...(hidden > 0 ? [`: ${hidden} earlier events are not shown`] : []), ...shown].join('\n\n');
}

function requestText({ method, path, headers = {}, json, form }: Exchange['request']): string {
  const head = [`${method} ${path}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const fields = form?.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : `@${value.name}`}`);
  const body = json ? JSON.stringify(shorten(json), undefined, 2) : (fields ?? []).join('\n');
  return body === '' ? head.join('\n') : `${head.join('\n')}\n\n${body}`;
}
