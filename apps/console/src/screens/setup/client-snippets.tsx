import type { ReactElement } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/page-head.tsx';
import { Tabs } from '../../components/form/tabs.tsx';
import { API_ROOT } from '../../lib/base-path.ts';
import { CLIENTS } from './clients.ts';

export interface ClientSnippetsProps {
  model: string;
  /** The selected client in the URL. */
  tool: string | undefined;
  onTool: (name: string) => void;
}

/** Settings of coding agents and SDKs. They read an API key from `SLUICE_KEY`. */
export function ClientSnippets({ model, tool, onTool }: ClientSnippetsProps): ReactElement {
  const client = CLIENTS.find(({ name }) => name === tool) ?? CLIENTS[0];
  const origin = API_ROOT.href.replace(/\/$/, '');
  return (
    <Section title="Connect your tools" aside={`Model ${model}`}>
      <div className="flex flex-col gap-3 p-4">
        <Tabs label="Tool" tabs={CLIENTS} selected={client.name} onSelect={onTool} />
        <p className="text-muted">
          Put an API key of Sluice into <code className="font-mono">SLUICE_KEY</code>. {client.note}
        </p>
        {client.parts({ origin, model }).map(({ what, code }) => (
          <div key={what} className="flex flex-col gap-1.5">
            <h3 className="text-xs font-medium text-muted">{what}</h3>
            <CodeBlock code={code} what={what} />
          </div>
        ))}
      </div>
    </Section>
  );
}
