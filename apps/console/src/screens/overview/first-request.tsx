import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { modelsQuery } from '../../api/models.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { EmptyState } from '../../components/notices.tsx';
import { API_ROOT } from '../../lib/base-path.ts';

/** Shown while the ledger has no request of the period. */
export function FirstRequest(): ReactElement {
  const { data: models } = useQuery(modelsQuery);
  const model = models?.find(({ capabilities }) => capabilities.includes('text'))?.id ?? 'your-model';
  const command = `curl ${API_ROOT.href}v1/chat/completions \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`;
  return (
    <div className="panel">
      <EmptyState title="No requests in this period">
        <p>
          Send one, or open the{' '}
          <Link to="/setup" className="text-accent underline">
            setup
          </Link>
          . It appears here a few seconds after its response.
        </p>
        <CodeBlock code={command} what="curl command" />
      </EmptyState>
    </div>
  );
}
