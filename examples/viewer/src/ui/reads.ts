/** Requests and bytes since something else was opened. Servers of other origins may keep their sizes to themselves. */
import { effect, signal } from "@preact/signals";
import { act } from "../session.js";

export const reads = signal({ requests: 0, bytes: 0 });

effect(() => {
  void act.value;
  reads.value = { requests: 0, bytes: 0 };
});

new PerformanceObserver((list) => {
  let { requests, bytes } = reads.peek();
  for (const entry of list.getEntries()) {
    if (!(entry instanceof PerformanceResourceTiming) || entry.initiatorType !== "fetch") continue;
    requests++;
    bytes += entry.encodedBodySize;
  }
  if (requests !== reads.peek().requests) reads.value = { requests, bytes };
}).observe({ type: "resource" });
