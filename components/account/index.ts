// Why this room is as it is: docs/decisions/previews.md.

export { answeringFrom, type RecordedAnswers } from "./recordedAnswers";
