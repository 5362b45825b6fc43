#!/usr/bin/env bash
# Writes the comparison PW_MARKDOWN into a comment of the pull request PW_NUMBER. An earlier comment
# of this action, which begins with the same line, is replaced; those of other actions are not.
set -euo pipefail

mark=$(head -n 1 "$PW_MARKDOWN")
comments="repos/$GITHUB_REPOSITORY/issues/$PW_NUMBER/comments"
warn() {
    echo "::warning::the comparison could not be written as a comment; give the job the permission 'pull-requests: write'"
    exit 0
}

earlier=$(gh api --paginate "$comments" \
    --jq ".[] | select(.body | startswith(\"$mark\")) | .id") || warn
earlier=$(head -n 1 <<< "$earlier")
if [ -n "$earlier" ]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" \
        --field "body=@$PW_MARKDOWN" > /dev/null || warn
else
    gh api "$comments" --field "body=@$PW_MARKDOWN" > /dev/null || warn
fi
