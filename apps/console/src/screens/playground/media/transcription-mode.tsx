import type { ReactElement } from 'react';
import { Progress } from './progress.tsx';
import { FileField, fileField, RunForm, TextField, textField } from './run-form.tsx';
import { Lanes, RunView } from './run-view.tsx';
import { type RunContext, useRun } from './use-run.ts';

/** The text of a recording. */
export function TranscriptionMode({ models }: { models: readonly string[] }): ReactElement {
  const both = [useRun<string>(), useRun<string>()];
  const lanes = both.slice(0, models.length);
  const run = (fields: FormData): void =>
    lanes.forEach((lane, at) => void lane.begin((context) => transcribe(context, models[at] ?? '', fields)));
  return (
    <>
      <RunForm label="Transcription request" onRun={run}>
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
      <Lanes
        models={models}
        lane={(model, at) => {
          const lane = lanes[at];
          return (
            lane && (
              <RunView model={model} run={lane} hint="Select a file, and run it.">
                {lane.isRunning && <Progress label="transcribing" />}
                {lane.result !== undefined && <p className="break-words whitespace-pre-wrap">{lane.result}</p>}
              </RunView>
            )
          );
        }}
      />
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
