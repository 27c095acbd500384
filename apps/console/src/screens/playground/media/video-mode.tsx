import { Link } from '@tanstack/react-router';
import { Ban } from 'lucide-react';
import type { ReactElement } from 'react';
import { callApi } from '../../../api/client.ts';
import { useToast } from '../../../components/toasts.tsx';
import { API_ROOT } from '../../../lib/base-path.ts';
import type { ApiRequest } from '../protocols/text-protocol.ts';
import { present } from '../protocols/text-protocol.ts';
import { Progress } from './progress.tsx';
import { FileField, fileField, PromptField, RunForm, TextField, textField } from './run-form.tsx';
import { ModelColumns, RunView } from './run-view.tsx';
import { useModelRuns } from './use-model-runs.ts';
import type { ModelRun, RunContext } from './use-run.ts';

interface Video {
  id: string;
  status: string;
  progress: number;
  seconds?: string;
  size?: string;
  error?: { code: string; message: string } | null;
}

/** A video from a prompt, or from a prompt and an image. Its events show the progress. */
export function VideoMode({ models }: { models: readonly string[] }): ReactElement {
  const { runs, start } = useModelRuns<Video>(models, (context, model, fields) =>
    createVideo(context, requestOf(model, fields)),
  );
  return (
    <>
      <RunForm label="Video request" onRun={start}>
        <PromptField name="prompt" label="Prompt" placeholder="A paper boat in the rain" />
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField name="seconds" label="Seconds" placeholder="Default, e.g. 4" />
          <TextField name="size" label="Size" placeholder="Default, e.g. 1280x720" />
          <FileField name="input_reference" label="First frame (optional)" accept="image/*" />
        </div>
      </RunForm>
      <ModelColumns runs={runs}>{(model, run) => <VideoRun model={model} run={run} />}</ModelColumns>
    </>
  );
}

function VideoRun({ model, run }: { model: string; run: ModelRun<Video> }): ReactElement {
  const { result: video, isRunning } = run;
  const toast = useToast();
  const cancel = (id: string): void => {
    callApi(`/v1/videos/${encodeURIComponent(id)}/cancel`, { method: 'POST' }).catch((error: unknown) =>
      toast({ kind: 'error', title: 'The video could not be canceled', error }),
    );
  };
  return (
    <RunView model={model} run={run} hint="Enter a prompt, and run it.">
      {isRunning && (
        <div className="flex flex-wrap items-center gap-3">
          <div className="min-w-40 flex-1">
            <Progress label={video?.status ?? 'sending'} percent={video?.progress} />
          </div>
          {video && (
            <button type="button" className="button" onClick={() => cancel(video.id)}>
              <Ban aria-hidden className="size-4" /> Cancel
            </button>
          )}
        </div>
      )}
      {video?.status === 'completed' && (
        <video
          controls
          playsInline
          className="max-h-[32rem] w-full rounded-md border border-line bg-raised"
          aria-label="Result"
          src={new URL(`v1/videos/${encodeURIComponent(video.id)}/content`, API_ROOT).href}
        />
      )}
      {video && (
        <p className="text-xs break-all text-muted">
          <Link to="/tasks/$id" params={{ id: video.id }} className="font-mono text-accent hover:underline">
            {video.id}
          </Link>
          {[video.seconds && `${video.seconds} s`, video.size].filter(Boolean).map((part) => ` · ${part}`)}
        </p>
      )}
    </RunView>
  );
}

function requestOf(model: string, fields: FormData): ApiRequest {
  const [prompt, seconds, size] = ['prompt', 'seconds', 'size'].map((name) => textField(fields, name));
  const image = fileField(fields, 'input_reference');
  const texts = { model, prompt, seconds, size };
  if (!image) return { method: 'POST', path: '/v1/videos', json: present(texts) };
  const form = Object.entries(texts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { method: 'POST', path: '/v1/videos', form: [...form, ['input_reference', image]] };
}

/** Creates the video, and follows its events to the last one. */
async function createVideo({ show, start, follow }: RunContext<Video>, request: ApiRequest): Promise<void> {
  const [created] = await start(request);
  let video = parse(created.body ?? '{}');
  show(video);
  await follow({ method: 'GET', path: `/v1/videos/${encodeURIComponent(video.id)}/events` }, ({ data }) => {
    if (data === '') return;
    video = parse(data);
    show(video);
  });
  if (video.status === 'failed') throw new Error(video.error?.message ?? 'The video failed.');
  if (video.status !== 'completed')
    throw new Error('The events ended before the video. It continues in the background.');
}

function parse(text: string): Video {
  // The cast is safe because the API's schema describes a video.
  return JSON.parse(text) as Video;
}
