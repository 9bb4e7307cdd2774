/** What the detail of an incomplete run's state begins with: the reasons of its stops, before a colon. */
import type { StopReason } from '../schemas/states.ts';

/** @param detail such as `model_stopped, budget: 2 pages stopped, 0 failed` */
export const isStoppedBy = (reason: StopReason, detail: string): boolean =>
  (detail.split(':')[0] ?? '').split(', ').includes(reason);
