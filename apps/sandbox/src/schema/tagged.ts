import { z } from 'zod';

/** An object that is told apart by its `type` and has no further fields. */
export function tagged<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), ...shape });
}
