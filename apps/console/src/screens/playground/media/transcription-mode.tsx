import type { ReactElement } from 'react';
import { Progress } from './progress.tsx';
import { FileField, fileField, RunForm, TextField, textField } from './run-form.tsx';
import { ModelColumns, RunView } from './run-view.tsx';
import { useModelRuns } from './use-model-runs.ts';
import type { RunContext } from './use-run.ts';

/** The text of a recording. */
export function TranscriptionMode({ models }: { models: readonly string[] }): ReactElement {
  const { runs, start } = useModelRuns<string>(models, transcribe);
  return (
    <>
      <RunForm label="Transcription request" onRun={start}>
        <div className="grid gap-3 sm:grid-cols-3">
          <FileField
            name="file"
            label="Audio file"
            accept="audio/*,video/mp4,.wav,.mp3,.m4a,.ogg,.flac,.webm"
            required
          />
          <TextField name="language" label="Language (optional)" placeholder="e.g. en" />
          <TextField name="prompt" label="Prompt (optional)" placeholder="Names and terms in the recording" />
        </div>
      </RunForm>
      <ModelColumns runs={runs}>
        {(model, run) => (
          <RunView model={model} run={run} hint="Select a file, and run it.">
            {run.isRunning && <Progress label="transcribing" />}
            {run.result !== undefined && <p className="break-words whitespace-pre-wrap">{run.result}</p>}
          </RunView>
        )}
      </ModelColumns>
    </>
  );
}

async function transcribe({ show, start }: RunContext<string>, model: string, fields: FormData): Promise<void> {
  const file = fileField(fields, 'file');
  if (!file) throw new Error('Select an audio file that is not empty.');
  const options = ['language', 'prompt'].flatMap((name) => {
    const value = textField(fields, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  // The model before the file, so that the API can stream the file.
  const form = [['model', model] as const, ...options, ['file', file] as const];
  const [exchange] = await start({ method: 'POST', path: '/v1/audio/transcriptions', form });
  // The cast is safe because this is the documented response.
  const { text } = JSON.parse(exchange.body ?? '{}') as { text?: string };
  show(text ?? '');
}
