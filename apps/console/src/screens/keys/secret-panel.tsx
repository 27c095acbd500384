import type { ReactElement, ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';

/** A new secret, which is in no other place. */
export function SecretPanel({
  secret,
  onDone,
  children,
}: {
  secret: string;
  onDone: () => void;
  children?: ReactNode;
}): ReactElement {
  return (
    <div className="flex flex-col gap-4">
      <p>Copy the secret now. Sluice stores only its hash, so it cannot be shown again.</p>
      <CodeBlock code={secret} what="secret" wraps />
      {children}
      <button type="button" className="button button-primary" onClick={onDone}>
        I have stored it
      </button>
    </div>
  );
}
