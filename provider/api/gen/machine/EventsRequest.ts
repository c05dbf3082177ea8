// Original file: provider/api/proto/machine/machine.proto


export interface EventsRequest {
  'tailEvents'?: (number);
  'tailId'?: (string);
  'tailSeconds'?: (number);
  'withActorId'?: (string);
}

export interface EventsRequest__Output {
  'tailEvents': (number);
  'tailId': (string);
  'tailSeconds': (number);
  'withActorId': (string);
}
