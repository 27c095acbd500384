import { createLogger } from '@sluice/telemetry';
import { taskRig } from '@sluice/testkit';
import { expect, it } from 'vitest';

const PROMPT = 'a prompt that must stay private';

it('does not log the messages of a vendor, which may quote the prompt', async () => {
  let polls = 0;
  const rig = await taskRig({
    script: {
      submit: (_submission) => (polls === 0 ? undefined : { kind: 'unknown', message: `Conflict: ${PROMPT}` }),
      poll: () => {
        polls += 1;
        return polls === 1
          ? { kind: 'unclear', message: `Unclear: ${PROMPT}` }
          : { kind: 'failed', code: 'provider_error', message: `Failed: ${PROMPT}` };
      },
    },
    settings: { submitUnknownMs: 50 },
  });
  let logs = '';
  const destination = { write: (line: string) => void (logs += line) };
  const logger = createLogger({ level: 'trace', name: 'worker', pretty: false, destination });
  try {
    await rig.startWorker({ logger });
    for (const reason of ['Failed', 'Conflict']) {
      const { task } = await rig.engine.submit(rig.params());
      expect((await rig.end(task)).status, reason).toBe('failed');
    }
    expect(logs).toContain('unclear poll response');
    expect(logs).toContain('submission outcome unknown');
    expect(logs).toContain('reason_hash');
    expect(logs).not.toContain(PROMPT);
  } finally {
    await rig.close();
  }
});
