import { TriangleAlert } from 'lucide-react';
import type { FormEvent, ReactElement } from 'react';
import type { OperatorAction, TaskDetails } from '../../api/tasks.ts';
import { useSession } from '../../app/use-session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { MessageText } from '../../components/message-text.tsx';

export interface ActionFormProps {
  task: TaskDetails;
  /** Undefined if the dialog is closed. */
  action: OperatorAction | undefined;
  title: string;
  error: Error | null;
  isPending: boolean;
  /** Receives the body of the admin API's call. */
  onSubmit: (body: Record<string, unknown>) => void;
  onClose: () => void;
}

/** The API's maximum. */
const MAX_NAME = 64;

const WARNINGS: Readonly<Record<OperatorAction, string>> = {
  adopt:
    "Use this only for the job that you found in the vendor's console. With the wrong job, the client receives another client's file.",
  resubmit:
    'The vendor may run and bill this task twice. Resubmit it only if you are certain that the vendor has no job for it.',
  fail: "The client's task fails with your reason. The job at the vendor continues to run and to cost. To stop it, cancel the task instead.",
  cancel: 'The task ends for its client. If the vendor cannot cancel the job, the task continues.',
};

/** The fields and the warning of an operator's action. */
export function ActionForm(props: ActionFormProps): ReactElement {
  const { task, action, title, error, isPending, onSubmit, onClose } = props;
  const { name } = useSession();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (action !== undefined) onSubmit(bodyOf(new FormData(event.currentTarget), action, task.attempt));
  };
  return (
    <Dialog title={title} isOpen={action !== undefined} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {action !== undefined && (
          <div className="flex gap-3">
            <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
            <p>{WARNINGS[action]}</p>
          </div>
        )}
        <ActionFields action={action} attempt={task.attempt} />
        <TextField
          name="operator"
          label="Your name"
          hint="For the timeline"
          value={name.slice(0, MAX_NAME)}
          maxLength={MAX_NAME}
        />
        <TextField name="note" label="Note" hint="For the timeline. The client does not see it." maxLength={300} />
        <p role="alert" className="min-h-5 break-words text-bad">
          <MessageText text={error?.message} />
        </p>
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" className="button button-danger" disabled={isPending}>
            {title}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function ActionFields({
  action,
  attempt,
}: {
  action: OperatorAction | undefined;
  attempt: number;
}): ReactElement | null {
  switch (action) {
    case 'adopt':
      return (
        <>
          <TextField name="upstream_job_id" label="Id of the vendor's job" isRequired maxLength={256} />
          <TextField name="upstream_path" label="Path of the job" hint="Only if it differs" maxLength={256} />
        </>
      );
    case 'resubmit':
      return (
        <label className="flex items-start gap-2.5">
          <input type="checkbox" name="confirm" required className="mt-1" />
          <span>I have checked that attempt {attempt} has no job at the vendor.</span>
        </label>
      );
    case 'fail':
      return <TextField name="reason" label="Reason" hint="The client sees it" isRequired maxLength={300} />;
    case 'cancel':
    case undefined:
      return null;
  }
}

function bodyOf(form: FormData, action: OperatorAction, attempt: number): Record<string, unknown> {
  const texts = ['upstream_job_id', 'upstream_path', 'reason', 'operator', 'note'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
  });
  return { ...Object.fromEntries(texts), ...(action === 'resubmit' && { confirm: form.has('confirm'), attempt }) };
}
