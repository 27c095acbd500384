import { afterEach, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig } from '../../test/api-rig.ts';
import { TaskDossierSchema, TaskPageSchema, TaskResultSchema } from './schemas/task-response.ts';

const ADMIN_KEY = 'an admin key of the rig';
const headers = { authorization: `Bearer ${ADMIN_KEY}` };
const config = { server: { admin_key: ADMIN_KEY } };
const lost = { submit: () => ({ kind: 'unknown', message: 'The upstream did not respond in time' }) as const };

let rig: ApiRig;
afterEach(() => rig.close());

const get = (path: string) => rig.call(`/admin/v1/tasks${path}`, { headers });

function post(path: string, body: object): Promise<Response> {
  return rig.call(`/admin/v1/tasks${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const innerState = async (id: string) => TaskDossierSchema.parse(await (await get(`/${id}`)).json()).status;

/** Creates a task whose submission outcome is unknown. */
async function lostTask(): Promise<string> {
  const id = await rig.createdId({ prompt: 'a secret kite', seconds: '4', metadata: { style: 'secret style' } });
  await expect.poll(() => innerState(id), { timeout: 15_000 }).toBe('submit_unknown');
  return id;
}

async function startLost(): Promise<void> {
  rig = await apiRig({ config, script: { ...lost }, settings: { submitUnknownMs: 60_000 } });
  await rig.tasks.startWorker();
}

describe('GET /admin/v1/tasks', () => {
  it('lists tasks of all keys, lost submissions first, page by page', async () => {
    await startLost();
    const first = await lostTask();
    const second = await lostTask();
    const ids: string[] = [];
    for (let next: string | undefined = ''; next !== undefined;) {
      const page = TaskPageSchema.parse(await (await get(`?limit=1${next && `&after=${next}`}`)).json());
      ids.push(...page.data.map(({ id }) => id));
      expect(page.has_more).toBe(page.next !== undefined);
      next = page.next;
    }
    expect(ids).toEqual([first, second]);
    const filtered = await get('?owner=alice&upstream=vendor&model=video&older_than=0&status=submit_unknown');
    expect(TaskPageSchema.parse(await filtered.json()).data).toHaveLength(2);
    for (const query of ['?owner=bob', '?upstream=other', '?model=clip', '?older_than=3600', '?status=failed']) {
      expect(TaskPageSchema.parse(await (await get(query)).json())).toMatchObject({ data: [], has_more: false });
    }
  });
});

describe('GET /admin/v1/tasks/{id}', () => {
  it('returns the record, the timeline, and the request, with the prompt only if requested', async () => {
    await startLost();
    const id = await lostTask();
    const text = await (await get(`/${id}`)).text();
    const taskDossier = TaskDossierSchema.parse(JSON.parse(text));
    expect(taskDossier).toMatchObject({
      id,
      owner: 'alice',
      status: 'submit_unknown',
      attempt: 1,
      request: { kind: 'video', seconds: '4', images: [], options: ['style'] },
    });
    expect(taskDossier.timeline.map(({ what, outcome }) => [what, outcome])).toEqual([
      ['accepted', undefined],
      ['dispatched', undefined],
      ['submission', 'begun'],
      ['submission', 'unknown'],
    ]);
    expect(taskDossier.timeline.at(-1)?.reason).toBe('The upstream did not respond in time');
    expect(text).not.toContain('secret');
    const withPrompt = TaskDossierSchema.parse(await (await get(`/${id}?prompt=true`)).json());
    expect(withPrompt.request.prompt).toBe('a secret kite');
  });
});

describe('operator actions', () => {
  it('adopts a job: the client gets its video and no job id', async () => {
    await startLost();
    const id = await lostTask();
    const body = { upstream_job_id: 'job-of-the-vendor', operator: 'ana', note: 'found in the console' };
    const response = await post(`/${id}/adopt`, body);
    expect(TaskResultSchema.parse(await response.json())).toMatchObject({
      status: 'in_progress',
      upstream_job_id: 'job-of-the-vendor',
      changed: true,
    });
    expect(TaskResultSchema.parse(await (await post(`/${id}/adopt`, body)).json()).changed).toBe(false);
    const events = await (await rig.call(`/v1/videos/${id}/events`)).text();
    expect(events).toContain('event: video.completed');
    expect(events).not.toMatch(/job-of-the-vendor|ana|console/);
    const { timeline } = TaskDossierSchema.parse(await (await get(`/${id}`)).json());
    expect(timeline).toContainEqual(
      expect.objectContaining({ what: 'operator', outcome: 'adopted', by: 'ana', note: 'found in the console' }),
    );
    expect(rig.tasks.vendor.submissions.get(id)).toBe(1);
  });

  it('rejects a job of another task, however its id is formatted, and names that task', async () => {
    await startLost();
    const [one, other] = [await lostTask(), await lostTask()];
    await post(`/${one}/adopt`, { upstream_job_id: ' job-1 ' });
    const response = await post(`/${other}/adopt`, { upstream_job_id: 'job-1' });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      error: { code: 'task_conflict', message: `The job belongs to the task \`${one}\`.` },
    });
  });

  it('replaces a wrong job, which becomes free', async () => {
    await startLost();
    rig.tasks.vendor.script.poll = () => ({ kind: 'running' });
    const [one, other] = [await lostTask(), await lostTask()];
    await post(`/${one}/adopt`, { upstream_job_id: 'job-1' });
    const response = await post(`/${one}/adopt`, { upstream_job_id: 'job-2', instead_of: ' job-1' });
    expect(TaskResultSchema.parse(await response.json())).toMatchObject({ upstream_job_id: 'job-2', changed: true });
    expect((await post(`/${other}/adopt`, { upstream_job_id: 'job-1' })).status).toBe(200);
  });

  it('fails a task with a reason for the client', async () => {
    await startLost();
    const id = await lostTask();
    expect((await post(`/${id}/fail`, { reason: 'The vendor has lost it.' })).status).toBe(200);
    expect(await (await rig.call(`/v1/videos/${id}`)).json()).toMatchObject({
      status: 'failed',
      error: { code: 'submission_unknown', message: 'The vendor has lost it.' },
    });
    const again = await post(`/${id}/adopt`, { upstream_job_id: 'job-1' });
    expect(TaskResultSchema.parse(await again.json())).toMatchObject({ status: 'failed', upstream_job_id: 'job-1' });
    expect((await post(`/${id}/cancel`, {})).status).toBe(409);
  });

  it('resubmits only if the operator accepts a duplicate', async () => {
    await startLost();
    const id = await lostTask();
    expect((await post(`/${id}/resubmit`, { attempt: 1 })).status).toBe(400);
    expect(rig.tasks.vendor.submissions.get(id)).toBe(1);
    const response = await post(`/${id}/resubmit`, { confirm: true, attempt: 1 });
    expect(TaskResultSchema.parse(await response.json()).changed).toBe(true);
    await expect.poll(() => rig.tasks.vendor.submissions.get(id), { timeout: 15_000 }).toBe(2);
    expect(
      TaskResultSchema.parse(await (await post(`/${id}/resubmit`, { confirm: true, attempt: 1 })).json()),
    ).toMatchObject({ changed: false });
  });

  it('cancels a task', async () => {
    rig = await apiRig({ config });
    const id = await rig.createdId();
    expect(TaskResultSchema.parse(await (await post(`/${id}/cancel`, {})).json()).status).toBe('canceled');
  });
});
