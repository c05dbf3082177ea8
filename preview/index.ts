// Why this room is as it is: docs/decisions/previews.md.

export { isPluginWarning, plainMessage } from "./engineMessages";
export type { MachineChange, MachineEffect } from "./machineChange";
export type { ChangedLine } from "./lineDiff";
export type { Operation } from "./previewedResource";
export type { QuorumStep } from "./quorumSteps";
export { commentMarker, renderMarkdown } from "./renderMarkdown";
export { renderText, type TextOptions } from "./renderText";
export type { CostChange, MonthlyCost } from "./resourceCost";
export type { Risk, RiskCode } from "./risks";
export type { GroupSize, ScalingEffect, ScalingGroupChange } from "./scalingGroupChange";
export { renderReportsMarkdown, renderReportsText, type StackReport } from "./stackReports";
export {
  type ChangedGroup,
  type ChangedResource,
  hasChanges,
  type PreviewSummary,
  summarize,
  type SummaryOptions,
} from "./summarize";
export { HOURS_PER_MONTH, PRICES } from "./prices";
export { readEvents } from "./readEvents";
