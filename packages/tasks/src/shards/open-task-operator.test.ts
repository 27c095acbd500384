import { createLogger } from '@sluice/telemetry';
import { afterEach, describe, expect, it } from 'vitest';
import { operatorRig, type OperatorRig } from '../../test/operator-rig.ts';
import { openTaskOperator } from './open-task-operator.ts';

let rig: OperatorRig;
afterEach(() => rig.close());

const ana = { by: 'ana', note: 'ticket 7' };

describe('a standalone operator', () => {
  it('works directly on Redis and wakes workers', async () => {
    rig = await operatorRig({
      script: { submit: () => ({ kind: 'unknown', message: 'lost' }) },
      settings: { submitUnknownMs: 60_000 },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(() => rig.stateOf(task.id)).toBe('submit_unknown');
    const logger = createLogger({ level: 'silent', name: 'test' });
    const { redisUrl, prefix, settings } = rig;
    const opened = await openTaskOperator({ redis: { url: redisUrl }, prefix, settings, logger, timeoutMs: 5_000 });
    await opened.operator.adopt(task.id, { upstreamJobId: 'found' }, ana);
    await opened.close();
    expect((await rig.end(task)).status).toBe('completed');
  });

  it('reports an unavailable Redis', async () => {
    rig = await operatorRig();
    const logger = createLogger({ level: 'silent', name: 'test' });
    const options = {
      redis: { url: 'unix:///nowhere.sock' },
      prefix: 'x',
      settings: rig.settings,
      logger,
      timeoutMs: 200,
    };
    await expect(openTaskOperator(options)).rejects.toThrow('Redis does not respond.');
  });
});
