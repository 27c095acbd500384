import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import type { Configuration } from '../../api/configuration.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Section } from '../../components/page-head.tsx';
import { shownValue } from './config-lines.ts';
import { MessageText } from '../../components/message-text.tsx';

/** Whether the file is what runs. If it is not, what differs, or what is wrong in it. */
export function FileState({ configuration }: { configuration: Configuration }): ReactElement {
  const { state, file, issues } = configuration;
  // It follows from `content.dir`.
  const changes = configuration.changes.filter(({ path }) => path !== 'contentDir');
  switch (state) {
    case 'current':
      return (
        <Notice icon={<CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-ok" />}>
          {file === undefined ? (
            <>
              <p className="font-medium">Sluice runs without a file</p>
              <p className="text-muted">
                The configuration comes from environment variables and defaults. To change more, write a{' '}
                <code>sluice.yaml</code>.
              </p>
              <DataFolder running={configuration.running} />
            </>
          ) : (
            <>
              <p className="font-medium">The running configuration is that of the file</p>
              <FilePath file={file} />
              <DataFolder running={configuration.running} />
            </>
          )}
        </Notice>
      );
    case 'changed':
      return (
        <>
          <Notice icon={<Clock aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />}>
            <p className="font-medium">
              {changes.length === 1 ? '1 change is' : `${changes.length} changes are`} not applied yet
            </p>
            <p className="text-muted">
              The file is valid. Sluice applies most changes within seconds. Fields that stay in this list need a
              restart.
            </p>
            <FilePath file={file} />
          </Notice>
          <Changes changes={changes} />
        </>
      );
    case 'invalid':
      return (
        <>
          <Notice icon={<CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />}>
            <p className="font-medium">The file is invalid</p>
            <p className="text-muted">
              Sluice still runs with the configuration below, but it would not start again. Correct the file first.
            </p>
            <FilePath file={file} />
          </Notice>
          <Issues issues={issues} />
        </>
      );
  }
}

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }): ReactElement {
  return (
    <div role="status" className="panel flex items-start gap-3 p-4">
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

function FilePath({ file }: { file: string | undefined }): ReactElement | null {
  if (file === undefined) return null;
  return (
    <p className="mt-1 flex items-start gap-1 font-mono text-xs leading-5 text-muted">
      <span className="min-w-0 break-all">{file}</span>
      <CopyButton text={file} what="path of the file" />
    </p>
  );
}

/** The folder of the ledger and of files. It is no field of the file. */
function DataFolder({ running }: Pick<Configuration, 'running'>): ReactElement | null {
  const { dataDir: folder } = running;
  if (typeof folder !== 'string') return null;
  return (
    <p className="mt-1 text-xs leading-5 wrap-anywhere text-muted">
      Data folder <span className="font-mono">{folder}</span>, from <span className="font-mono">SLUICE_DATA_DIR</span>
    </p>
  );
}

/** Each field with both values, below each other in small windows. */
function Changes({ changes }: Pick<Configuration, 'changes'>): ReactElement {
  return (
    <Section title="Changes" aside="Secrets are compared, but never shown">
      <ul className="divide-y divide-line">
        {changes.map(({ path, running, file }) => (
          <li key={path} className="px-4 py-3">
            <p className="font-mono text-xs font-semibold break-all">{path || 'everything'}</p>
            <dl className="mt-1.5 grid gap-2 md:grid-cols-2">
              <ChangedValue title="Running" sign="−" tone="text-bad" value={running} />
              <ChangedValue title="In the file" sign="+" tone="text-ok" value={file} />
            </dl>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ChangedValue({
  title,
  sign,
  tone,
  value,
}: {
  title: string;
  sign: string;
  tone: string;
  value: unknown;
}): ReactElement {
  return (
    <div className="min-w-0 rounded-md bg-raised px-3 py-2">
      <dt className="text-xs text-muted">
        <span aria-hidden className={`mr-1.5 font-mono font-semibold ${tone}`}>
          {sign}
        </span>
        {title}
      </dt>
      <dd className="mt-0.5 font-mono text-xs leading-5 break-all whitespace-pre-wrap">
        {value === undefined ? <span className="font-sans text-muted">not set</span> : shownValue(value)}
      </dd>
    </div>
  );
}

function Issues({ issues }: Pick<Configuration, 'issues'>): ReactElement {
  return (
    <Section title="Problems" aside={issues.length === 1 ? '1 problem' : `${issues.length} problems`}>
      <ul className="divide-y divide-line">
        {issues.map(({ where, field, wrong, remedy }, at) => (
          <li key={at} className="flex flex-col gap-1 px-4 py-3">
            <p>
              {field !== '' && <code className="mr-1.5 font-mono text-xs font-semibold break-all">{field}</code>}
              <span className="break-words">
                <MessageText text={`${wrong}; ${remedy}${remedy.endsWith('?') ? '' : '.'}`} />
              </span>
            </p>
            <p className="text-xs wrap-anywhere text-muted">{placeOf(where)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Returns `sluice.yaml, line 3, column 5`, or the environment variable. */
function placeOf(where: string): string {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(where) ?? [];
  return file === undefined ? where : `${file}, line ${line}, column ${column}`;
}
