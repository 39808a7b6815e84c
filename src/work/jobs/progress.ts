/** How far a run of a plan is. */
import { type Plan, type Task, tasksOf } from "./plan.js";

/** How far a run is. */
export interface RunProgress {
  /** Tasks that are finished, those of earlier runs included. */
  readonly tasksDone: number;
  /** All tasks of the plan. */
  readonly tasksTotal: number;
  /** Bytes of elements, including those of tasks in progress. */
  readonly bytesDone: number;
  /** Bytes of elements of all tasks. */
  readonly bytesTotal: number;
  /** The part of `bytesDone` that earlier runs did. Subtract it to compute a rate. */
  readonly bytesBefore: number;
}

/** Counts tasks, and the bytes of finished tasks and of tasks in progress. */
export function createProgress(plan: Plan, onProgress: ((progress: RunProgress) => void) | undefined) {
  const counted = { run: 0, before: 0, bytes: 0, bytesBefore: 0, tasksTotal: 0, bytesTotal: 0 };
  const parts = new Map<string, number>();
  const tell = (): void => {
    const underWay = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
    onProgress?.({
      tasksDone: counted.before + counted.run,
      tasksTotal: counted.tasksTotal,
      bytesDone: Math.round(counted.bytesBefore + counted.bytes + underWay),
      bytesTotal: counted.bytesTotal,
      bytesBefore: counted.bytesBefore,
    });
  };
  return {
    /** Also called when stages begin again: all that is done then counts as done before. */
    begin(isDone: (task: string) => boolean): void {
      Object.assign(counted, { run: 0, before: 0, bytes: 0, bytesBefore: 0, tasksTotal: 0, bytesTotal: 0 });
      for (const task of tasksOf(plan)) {
        counted.tasksTotal++;
        counted.bytesTotal += task.bytes;
        if (!isDone(task.id)) continue;
        counted.before++;
        counted.bytesBefore += task.bytes;
      }
    },
    part(bytes: number, task: Task): void {
      parts.set(task.id, Math.min(task.bytes, (parts.get(task.id) ?? 0) + bytes));
      tell();
    },
    done(task: Task): void {
      parts.delete(task.id);
      counted.run++;
      counted.bytes += task.bytes;
      tell();
    },
    failed(task: Task): void {
      parts.delete(task.id);
      tell();
    },
    counts: () => ({ tasksRun: counted.run, tasksBefore: counted.before }),
  };
}
