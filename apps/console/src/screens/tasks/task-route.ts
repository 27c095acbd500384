import { createLazyRoute } from '@tanstack/react-router';
import { TaskPage } from './task-page.tsx';

export const Route = createLazyRoute('/tasks/$id')({ component: TaskPage });
