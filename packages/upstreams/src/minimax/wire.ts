import type { z } from 'zod';
import { Id, lenient, Numeric, Text, Integer } from '../media/lenient.ts';

const BaseResp = lenient({ status_code: Integer, status_msg: Text });

/** A v2 error, `{type: "error", error: {type, message, http_code}}`. Its messages end with the v1 code: `… (2013)`. */
const WireError = lenient({ type: Text, message: Text });

export const WireRefusal = lenient({ base_resp: BaseResp, error: WireError });
export type MinimaxRefusal = z.output<typeof WireRefusal>;

export const WireSubmitted = lenient({ task_id: Id, base_resp: BaseResp });

export const WireTaskV1 = lenient({
  status: Text,
  file_id: Id,
  video_width: Numeric,
  video_height: Numeric,
  base_resp: BaseResp,
});

export const WireFile = lenient({ file: lenient({ download_url: Text }), base_resp: BaseResp });

const TaskV2 = lenient({
  id: Id,
  model: Text,
  status: Text,
  error: lenient({ code: Id, message: Text }),
  content: lenient({ url: Text }),
  /** In Unix seconds. */
  created_at: Numeric,
  resolution: Text,
  duration: Numeric,
  ratio: Text,
});

export const WireTaskV2 = lenient({ task: TaskV2 });
