import { describe, expect, it } from 'vitest';
import { videoTask as task, view } from '../../test/media-tasks.ts';
import { encodeDeleted, encodeEvent, encodePage } from './response.ts';
import { DeletedVideoSchema, VideoPageSchema } from './schema.ts';

const viewOf = ({ id }: { id: string }) => ({ ...view, contentUrl: `http://g.test/${id}` });

describe('encodePage', () => {
  it('returns the first id, the position of the next page, and whether there is one', () => {
    const page = encodePage([task, { ...task, id: 'video_02' }], 'video_07', viewOf);
    expect(VideoPageSchema.parse(page)).toEqual(page);
    expect(page).toMatchObject({ object: 'list', first_id: 'video_01', last_id: 'video_07', has_more: true });
    const last = encodePage([task], undefined, viewOf);
    expect(last).toMatchObject({ last_id: 'video_01', has_more: false });
    expect(page.data.map(({ metadata }) => metadata?.url)).toEqual([
      'http://g.test/video_01',
      'http://g.test/video_02',
    ]);
  });

  it('returns null for the ids of an empty page', () => {
    expect(encodePage([], undefined, () => view)).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });
});

it('encodeDeleted returns the fields that SDKs expect', () => {
  expect(DeletedVideoSchema.parse(encodeDeleted('video_01'))).toEqual({
    id: 'video_01',
    object: 'video.deleted',
    deleted: true,
  });
});

it('encodeEvent encodes a change as one server-sent event, for any prompt', () => {
  const changed = { ...task, status: 'finishing' as const, progress: 40, prompt: 'a\n\nevent: x\r\nb' };
  const event = encodeEvent(17, changed, view);
  expect(event).toMatch(/^id: 17\nevent: video\.in_progress\ndata: \{.*\}\n\n$/);
  expect(event.split(/\r|\n/)).toHaveLength(5);
  expect(JSON.parse(event.split('data: ')[1] ?? '')).toMatchObject({ progress: 40, prompt: changed.prompt });
});
