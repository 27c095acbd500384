import { type ReactElement, useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Tabs } from '../../../components/form/tabs.tsx';
import { API_ROOT } from '../../../lib/base-path.ts';
import { shorten } from '../exchange/shown-request.ts';
import { isObject, type ApiRequest } from '../protocols/text-protocol.ts';
import { curlSnippet } from './curl.ts';
import { pythonSnippet } from './python.ts';
import { typescriptSnippet } from './typescript.ts';

const LANGUAGES = [
  { name: 'curl', title: 'curl', format: curlSnippet },
  { name: 'python', title: 'Python', format: pythonSnippet },
  { name: 'typescript', title: 'TypeScript', format: typescriptSnippet },
] as const;

/** A request as code. The snippets read the API key from `SLUICE_KEY`. */
export function CopyAs({ request }: { request: ApiRequest }): ReactElement {
  const [language, select] = useState('curl');
  const { title, format } = LANGUAGES.find(({ name }) => name === language) ?? LANGUAGES[0];
  const json = shorten(request.json);
  const shown = { ...request, ...(isObject(json) && { json }) };
  return (
    <details className="border-t border-line">
      <summary className="cursor-pointer px-4 py-2 text-xs font-medium text-muted hover:text-text">
        Copy as code
      </summary>
      <div className="flex flex-col gap-2 px-4 pb-4">
        <Tabs label="Language" tabs={LANGUAGES} selected={language} onSelect={select} />
        <CodeBlock code={format(shown, API_ROOT.href.replace(/\/$/, ''))} what={`${title} code`} />
      </div>
    </details>
  );
}
