//! What the check commands share.
