import { type ReactElement, useEffect, useState } from 'react';
import { present } from '../protocols/text-protocol.ts';
import { Field } from '../../../components/form/field.tsx';
import { Progress } from './progress.tsx';
import { PromptField, RunForm, TextField, textField } from './run-form.tsx';
import { ModelColumns, RunView } from './run-view.tsx';
import { useModelRuns } from './use-model-runs.ts';
import type { ModelRun, RunContext } from './use-run.ts';

const FORMATS = ['mp3', 'wav', 'opus', 'aac', 'flac'] as const;

/** Speech from a text. */
export function SpeechMode({ models }: { models: readonly string[] }): ReactElement {
  const { runs, start } = useModelRuns<Blob>(models, createSpeech);
  return (
    <>
      <RunForm label="Speech request" onRun={start}>
        <PromptField name="input" label="Text" placeholder="The kite flies." />
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField name="voice" label="Voice" placeholder="alloy" />
          <Field label="Format">
            {(id) => (
              <select id={id} name="response_format" className="field w-full">
                {FORMATS.map((format) => (
                  <option key={format}>{format}</option>
                ))}
              </select>
            )}
          </Field>
          <TextField name="instructions" label="Instructions (optional)" placeholder="Speak calmly." />
        </div>
      </RunForm>
      <ModelColumns runs={runs}>{(model, run) => <SpeechRun model={model} run={run} />}</ModelColumns>
    </>
  );
}

function SpeechRun({ model, run }: { model: string; run: ModelRun<Blob> }): ReactElement {
  const url = useObjectUrl(run.result);
  return (
    <RunView model={model} run={run} hint="Enter a text, and run it.">
      {run.isRunning && <Progress label="generating" />}
      {url !== undefined && <audio controls src={url} className="w-full" aria-label="Speech" />}
    </RunView>
  );
}

async function createSpeech({ show, start }: RunContext<Blob>, model: string, fields: FormData): Promise<void> {
  const values = ['input', 'voice', 'response_format', 'instructions'].map((name) => textField(fields, name));
  const [input, voice = 'alloy', format, instructions] = values;
  const json = present({ model, input, voice, response_format: format, instructions });
  const [, response] = await start({ method: 'POST', path: '/v1/audio/speech', json });
  show(await response.blob());
}

/** Returns a URL of a blob, which is released with the component. */
function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return setUrl(undefined);
    const created = URL.createObjectURL(blob);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  return url;
}
