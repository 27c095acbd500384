import type { ReactElement } from 'react';
import type { ApiRequest } from '../protocols/text-protocol.ts';
import { present } from '../protocols/text-protocol.ts';
import { mediaUrl } from './media-url.ts';
import { FileField, fileField, PromptField, RunForm, TextField, textField } from './run-form.tsx';
import { Progress } from './progress.tsx';
import { ModelColumns, RunView } from './run-view.tsx';
import { useModelRuns } from './use-model-runs.ts';
import type { ModelRun, RunContext } from './use-run.ts';
import { wait } from './wait.ts';

interface Images {
  status: string;
  urls: string[];
  prompts: string[];
  /** Messages of the images that failed. */
  failures: string[];
}

interface ImageBody {
  id?: string;
  object?: string;
  status?: string;
  data?: { url?: string; b64_json?: string; revised_prompt?: string }[];
  failed?: { message: string }[];
  error?: { message: string };
}

const POLL_MS = 700;

/** Images from a prompt, or from a prompt and an image. */
export function ImageMode({ models }: { models: readonly string[] }): ReactElement {
  const { runs, start } = useModelRuns<Images>(models, (context, model, fields) =>
    createImages(context, requestOf(model, fields)),
  );
  return (
    <>
      <RunForm label="Image request" onRun={start}>
        <PromptField name="prompt" label="Prompt" placeholder="A poster that says OPEN" />
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField name="size" label="Size" placeholder="Default, e.g. 1024x1024" />
          <TextField name="n" label="Number of images" placeholder="1" />
          <FileField name="image" label="Input image (optional)" accept="image/*" />
        </div>
      </RunForm>
      <ModelColumns runs={runs}>{(model, run) => <ImageRun model={model} run={run} />}</ModelColumns>
    </>
  );
}

function ImageRun({ model, run }: { model: string; run: ModelRun<Images> }): ReactElement {
  const { result, isRunning } = run;
  return (
    <RunView model={model} run={run} hint="Enter a prompt, and run it.">
      {isRunning && <Progress label={result?.status ?? 'sending'} />}
      <div className="grid gap-3 sm:grid-cols-2">
        {result?.urls.map((url, at) => (
          <figure key={url.slice(-200)} className="min-w-0">
            <a href={url} target="_blank" rel="noreferrer">
              <img src={url} alt={`Result ${at + 1}`} className="w-full rounded-md border border-line" />
            </a>
            {result.prompts[at] && <figcaption className="mt-1 text-xs text-muted">{result.prompts[at]}</figcaption>}
          </figure>
        ))}
      </div>
      {result?.failures.map((message, at) => (
        <p key={at} className="text-bad">
          {message}
        </p>
      ))}
    </RunView>
  );
}

function requestOf(model: string, fields: FormData): ApiRequest {
  const [prompt, size, n] = ['prompt', 'size', 'n'].map((name) => textField(fields, name));
  const image = fileField(fields, 'image');
  const headers = { prefer: 'respond-async' };
  if (!image) {
    const json = present({ model, prompt, size, n: n === undefined ? undefined : Number(n) });
    return { method: 'POST', path: '/v1/images/generations', headers, json };
  }
  const texts = Object.entries({ model, prompt, size, n }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { method: 'POST', path: '/v1/images/edits', headers, form: [...texts, ['image', image]] };
}

/** Creates the images, and polls their task until it ends. */
async function createImages({ signal, show, start, follow }: RunContext<Images>, request: ApiRequest): Promise<void> {
  const [created] = await start(request);
  let body = parse(created.body);
  const path = `/v1/images/generations/${encodeURIComponent(body.id ?? '')}`;
  while (body.object === 'image.task') {
    if (body.status === 'failed') throw new Error(body.error?.message ?? 'The task failed.');
    show({ status: body.status ?? 'queued', urls: [], prompts: [], failures: [] });
    await wait(POLL_MS, signal);
    const [polled] = await follow({ method: 'GET', path });
    body = parse(polled.body);
  }
  const images = body.data ?? [];
  show({
    status: 'completed',
    urls: images.flatMap((image) => urlOf(image) ?? []),
    prompts: images.map(({ revised_prompt: prompt = '' }) => prompt),
    failures: (body.failed ?? []).map(({ message }) => message),
  });
}

function urlOf({ url, b64_json: bytes }: NonNullable<ImageBody['data']>[number]): string | undefined {
  return bytes === undefined ? mediaUrl(url) : `data:image/png;base64,${bytes}`;
}

function parse(body: string | undefined): ImageBody {
  // The cast is safe because every field is optional, and the API's schema describes them.
  return JSON.parse(body ?? '{}') as ImageBody;
}
