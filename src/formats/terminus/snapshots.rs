//! Snapshots of a conversation, one a response, each of which repeats the history: as one conversation again. After a
//! context reset a snapshot begins anew; what it then repeats is no turn of its own.

use super::chat::{Message, Role};

/// Snapshots in order, each up to and with its response, as one conversation. Responses that stand before that of the first
/// snapshot are turns only where earlier snapshots are missing.
pub fn unrolled(snapshots: &[Vec<Message>], misses_the_first: bool) -> Vec<Message> {
    let mut out: Vec<Message> = Vec::new();
    let mut before: Option<&[Message]> = misses_the_first.then_some(&[]);
    for snapshot in snapshots {
        if let Some(before) = before.filter(|before| goes_on(before, snapshot)) {
            out.extend(snapshot.iter().skip(before.len()).cloned());
        } else {
            if before.is_some() {
                out.push(Message { role: Role::Reset, text: String::new() });
            }
            let (response, history) = match snapshot.split_last() {
                Some((last, history)) => (Some(last), history),
                None => (None, snapshot.as_slice()),
            };
            // Questions and answers of the hand-over stand in the new history: helpers' words, no turns.
            let is_said = |message: &&Message| message.role != Role::Assistant;
            out.extend(history.iter().filter(is_said).chain(response).cloned());
        }
        before = Some(snapshot);
    }
    out
}

/// The snapshot begins with the one before it. Prompts may be written down anew with other blanks, responses are not.
fn goes_on(before: &[Message], snapshot: &[Message]) -> bool {
    let Some(last) = before.last() else { return true };
    snapshot.get(before.len() - 1).is_some_and(|same| same == last)
}
