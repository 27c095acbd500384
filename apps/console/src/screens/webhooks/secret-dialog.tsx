import type { ReactElement } from 'react';
import type { ShownSecret } from '../../api/webhooks.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { formatTime } from '../../lib/format.ts';

/** Shows a secret until the dialog is closed. It is kept nowhere else. */
export function SecretDialog({
  secret,
  onClose,
}: {
  secret: ShownSecret | undefined;
  onClose: () => void;
}): ReactElement {
  return (
    <Dialog title="Signing secret" isOpen={secret !== undefined} onClose={onClose} isPersistent>
      {secret && (
        <div className="flex flex-col gap-3">
          <p>Store this secret at your server, which verifies deliveries with it.</p>
          <CodeBlock code={secret.secret} what="signing secret" wraps />
          {secret.previous_secret_until !== undefined && (
            <p className="text-muted">
              The previous secret also signs until {formatTime(secret.previous_secret_until * 1_000)}.
            </p>
          )}
          <div className="flex justify-end">
            <button type="button" className="button button-primary" onClick={onClose}>
              Done
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
