import type { ReactElement } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { screensOf } from './screens.ts';
import { useSession } from './use-session.ts';

/** The list of keyboard shortcuts. */
export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const { role, version } = useSession();
  const shortcuts = [
    { keys: ['/'], what: 'Search by the id of a request, task, group, or batch' },
    ...screensOf(role).map(({ title, key }) => ({ keys: ['g', key], what: title })),
    { keys: ['?'], what: 'This help' },
    { keys: ['Esc'], what: 'Close a dialog' },
  ];
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[6rem_1fr] gap-y-2">
        {shortcuts.map(({ keys, what }) => (
          <div key={what} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-line bg-raised px-1.5 font-mono text-xs leading-5">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-5 text-xs text-muted">
        Sluice {version}. The{' '}
        <a className="text-accent underline" href="../docs/">
          API reference
        </a>{' '}
        describes every endpoint.
      </p>
    </Dialog>
  );
}
