import { logStamp } from "../runtime/logBook";
import { recipeOf } from "./serviceCatalog";

/** What a service prints first, each in the form of its kind of log; machined has its own log. */
export function startLogLine(id: string, at: Date): string | undefined {
  const time = at.toISOString();
  switch (id) {
    case "etcd":
      return JSON.stringify({ level: "info", ts: time, msg: "starting etcd" });
    case "kubelet":
      return JSON.stringify({ ts: at.getTime(), v: 0, msg: "Kubelet version" });
    case "containerd":
    case "cri":
      return JSON.stringify({ level: "info", msg: "starting containerd", time });
    case "apid":
    case "trustd":
      return `${logStamp(at)} starting ${id}`;
    default:
      return recipeOf(id)?.runner === "goroutine" ? undefined : `${logStamp(at)} ${id} started`;
  }
}
