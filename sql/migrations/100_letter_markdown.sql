-- Words of letters are Markdown. Versions from before are paragraphs apart by empty lines, and stay that.
alter table letter_texts add column is_markdown boolean not null default false;
