export const LENGTHS: readonly string[] = [
  'duration',
  'duration_seconds',
  'seconds',
  'num_seconds',
  'total_seconds',
  'total_second_length',
  'video_length',
  'video_duration',
  'length',
];

export const FRAMES: readonly string[] = [
  'num_frames',
  'number_of_frames',
  'n_frames',
  'frames',
  'frame_count',
  'max_frames',
];
